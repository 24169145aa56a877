"""Tests the model library-loan. To run the tests, use `python3 -m unittest`."""

import unittest

from library_loan import handler

LENT = {"type": "book.lent", "data": {"book": "Momo", "member": "M-7"}}
RENEWED = {"type": "loan.renewed", "data": {}}
RETURNED = {"type": "book.returned", "data": {}}
FIRED = {"type": "timer.fired", "data": {"name": "due"}}


def fold(*events, before=None):
    """Folds the events of one instance, one day apart, and returns the response."""
    whole = [
        {"id": f"e{day}", "source": "test", "model": "library-loan", "transaction": "L-1"}
        | {"time": f"2026-01-{day:02}T09:00:00Z", **event}
        for day, event in enumerate(events, 1)
    ]
    request = {"protocol": 1, "op": "fold", "instances": [{"before": before, "events": whole}]}
    return handler(request)["instances"][0]


def statuses(*events):
    steps = fold(*events)["steps"]
    return [step["after"]["description"]["status"] if step["accepted"] else "-" for step in steps]


class LibraryLoanTest(unittest.TestCase):
    def test_is_on_loan_until_it_is_returned(self):
        self.assertEqual(statuses(LENT, RETURNED), ["On loan", "Returned"])

    def test_is_overdue_when_its_timer_fires_until_it_is_renewed(self):
        self.assertEqual(statuses(LENT, FIRED, RENEWED), ["On loan", "Overdue", "On loan"])

    def test_can_be_renewed_at_most_twice(self):
        self.assertEqual(statuses(LENT, RENEWED, RENEWED, RENEWED)[-1], "-")

    def test_rejects_a_second_loan_of_the_same_book(self):
        self.assertEqual(fold(LENT, LENT)["steps"][1]["reason"], "the book is already on loan")

    def test_requires_a_book_and_a_member(self):
        for data in ({}, {"book": "Momo"}, {"book": "", "member": "M-7"}, [], None):
            self.assertEqual(statuses({"type": "book.lent", "data": data}), ["-"])

    def test_starts_a_timer_that_is_due_after_three_weeks(self):
        [step] = fold(LENT)["steps"]
        timer = {"kind": "start-timer", "name": "due", "dueAt": "2026-01-22T09:00:00Z"}
        self.assertEqual(step["effects"], [timer])
        returned = step["after"]["description"]["milestones"][1]
        self.assertEqual(returned, {"id": "returned", "expectedBy": "2026-01-22T09:00:00Z"})

    def test_notifies_about_an_overdue_loan(self):
        effects = fold(LENT, FIRED)["steps"][1]["effects"]
        self.assertEqual(
            effects, [{"kind": "notify", "type": "LoanOverdue", "data": {"member": "M-7"}}]
        )

    def test_has_its_member_as_a_business_key(self):
        self.assertEqual(fold(LENT)["steps"][0]["after"]["keys"], {"member": "M-7"})

    def test_continues_from_the_previous_state(self):
        state = fold(LENT)["steps"][0]["after"]["state"]
        response = fold(RETURNED, before={"state": state, "modelVersion": 1})
        self.assertEqual(response["steps"][0]["after"]["description"]["status"], "Returned")
        self.assertNotIn("start", response)

    def test_reports_a_fault_for_a_state_that_it_cannot_read(self):
        with self.assertLogs("milepost_model", "ERROR") as logs:
            response = fold(RETURNED, before={"state": {"lent": 1}, "modelVersion": 1})
        self.assertEqual((response["steps"], response["fault"]), ([], "in describe: KeyError: 'due'"))
        self.assertRegex(response["faultPlace"], r"^library_loan\.py:\d+ in describe$")
        self.assertIn("Traceback (most recent call last)", logs.output[0])
        self.assertIn("KeyError: 'due'", logs.output[0])

    def test_rejects_an_unsupported_protocol_version(self):
        with self.assertRaises(ValueError):
            handler({"protocol": 2, "op": "describe"})


if __name__ == "__main__":
    unittest.main()

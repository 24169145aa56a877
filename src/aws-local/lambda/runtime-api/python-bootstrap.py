"""Runs a Python Lambda function through the Runtime API, without AWS's own runtime client.

https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
"""

import http.client
import importlib
import json
import os
import sys
import time
import traceback

BASE = "/2018-06-01/runtime"


class Context:
    """The context object that a handler receives, without the client context and the Cognito identity."""

    def __init__(self, headers):
        self.aws_request_id = headers["Lambda-Runtime-Aws-Request-Id"]
        self.invoked_function_arn = headers["Lambda-Runtime-Invoked-Function-Arn"]
        self.function_name = os.environ.get("AWS_LAMBDA_FUNCTION_NAME")
        self.function_version = os.environ.get("AWS_LAMBDA_FUNCTION_VERSION")
        self.memory_limit_in_mb = os.environ.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE")
        self.log_group_name = os.environ.get("AWS_LAMBDA_LOG_GROUP_NAME")
        self.log_stream_name = os.environ.get("AWS_LAMBDA_LOG_STREAM_NAME")
        self.identity = self.client_context = None
        self._deadline = int(headers["Lambda-Runtime-Deadline-Ms"])

    def get_remaining_time_in_millis(self):
        return max(0, self._deadline - int(time.time() * 1000))


def main():
    connection = http.client.HTTPConnection(os.environ["AWS_LAMBDA_RUNTIME_API"])

    def send(method, path, body=None, headers={}):
        connection.request(method, BASE + path, body, headers)
        response = connection.getresponse()
        return response, response.read()

    def report_error(path, error):
        traceback.print_exception(error)
        kind = type(error).__name__
        trace = traceback.format_tb(error.__traceback__)
        details = {"errorType": kind, "errorMessage": str(error), "stackTrace": trace}
        send("POST", path, json.dumps(details), {"Lambda-Runtime-Function-Error-Type": kind})

    try:
        sys.path.insert(0, os.environ["LAMBDA_TASK_ROOT"])
        module, _, name = os.environ["_HANDLER"].rpartition(".")
        handler = getattr(importlib.import_module(module.replace("/", ".")), name)
    except BaseException as error:
        report_error("/init/error", error)
        sys.exit(1)
    while True:
        response, body = send("GET", "/invocation/next")
        path = "/invocation/" + response.headers["Lambda-Runtime-Aws-Request-Id"]
        try:
            result = json.dumps(handler(json.loads(body), Context(response.headers)))
        except Exception as error:
            report_error(path + "/error", error)
        else:
            send("POST", path + "/response", result)


main()

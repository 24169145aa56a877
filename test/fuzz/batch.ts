import fc from 'fast-check';

/** Generates exactly `size` values. Shrinks a failing case to the fewest values that still fail. */
export function batchOf<One>(one: fc.Arbitrary<One>, size: number): fc.Arbitrary<One[]> {
  return new Batch(one, size);
}

class Batch<One> extends fc.Arbitrary<One[]> {
  readonly #full: fc.Arbitrary<One[]>;
  readonly #fewer: fc.Arbitrary<One[]>;

  constructor(one: fc.Arbitrary<One>, size: number) {
    super();
    this.#full = fc.array(one, { minLength: size, maxLength: size });
    this.#fewer = fc.array(one, { maxLength: size });
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<One[]> {
    return this.#full.generate(random, bias);
  }

  canShrinkWithoutContext(value: unknown): value is One[] {
    return this.#fewer.canShrinkWithoutContext(value);
  }

  shrink(value: One[], context: unknown): fc.Stream<fc.Value<One[]>> {
    return this.#fewer.shrink(value, context);
  }
}

/**
 * True if a decimal keeps its value when JavaScript parses and formats it. Calculates without rounding, with integers
 * of any size, which is slow.
 */
export function isExact(decimal: string): boolean {
  const written = String(Number(decimal));
  if (!/\d/.test(written)) return false;
  const [whole, power] = exactValue(decimal);
  const [keptWhole, keptPower] = exactValue(written);
  const least = power < keptPower ? power : keptPower;
  return whole * 10n ** (power - least) === keptWhole * 10n ** (keptPower - least);
}

/** Returns a decimal as an integer and the power of ten that multiplies it. */
function exactValue(decimal: string): [bigint, bigint] {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().split('e');
  const fraction = mantissa.split('.')[1] ?? '';
  return [
    BigInt(mantissa.replace('.', '')),
    BigInt(exponent.replace('+', '')) - BigInt(fraction.length),
  ];
}

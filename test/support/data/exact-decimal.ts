/**
 * True if a decimal keeps its value when JavaScript parses it as a number and formats it again. Computed with integers
 * of any size, slowly but without rounding.
 */
export function isExact(decimal: string): boolean {
  const written = String(Number(decimal));
  if (!/\d/.test(written)) return false;
  const [whole, power] = exactValue(decimal);
  const [keptWhole, keptPower] = exactValue(written);
  const least = power < keptPower ? power : keptPower;
  return whole * 10n ** (power - least) === keptWhole * 10n ** (keptPower - least);
}

/** A decimal as an integer and a power of ten to multiply it by. */
function exactValue(decimal: string): [bigint, bigint] {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().split('e');
  const fraction = mantissa.split('.')[1] ?? '';
  return [
    BigInt(mantissa.replace('.', '')),
    BigInt(exponent.replace('+', '')) - BigInt(fraction.length),
  ];
}

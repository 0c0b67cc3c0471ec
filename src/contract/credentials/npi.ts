/** The issuer prefix of US health identifiers, which the check digit covers (45 CFR 162.406). */
const PREFIX = '80840'

/** Whether ten digits form a valid National Provider Identifier: the last is the Luhn check digit of the prefix and the others. */
export function isNpi(value: string): boolean {
  const npi = value.trim()
  if (!/^[12]\d{9}$/.test(npi)) return false
  const digits = Array.from(PREFIX + npi, Number).reverse()
  const sum = digits.reduce((total, digit, index) => total + (index % 2 === 0 ? digit : doubled(digit)), 0)
  return sum % 10 === 0
}

/** Doubles a digit and adds the digits of the result. */
function doubled(digit: number): number {
  const twice = digit * 2
  return twice > 9 ? twice - 9 : twice
}

import { isTimeZone } from '#contract/dates/dates.ts'
import { isEmailShaped } from '#contract/fields.ts'

export type Environment = Record<string, string | undefined>

/** Reads environment variables and collects a message for each invalid one. Blank counts as unset. */
export class EnvironmentReader {
  readonly faults: string[] = []
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  text(name: string, fallback: string): string {
    return this.#environment[name]?.trim() || fallback
  }

  /** For a variable without a sensible default; `cure` completes the message. */
  require(name: string, cure: string): void {
    if (this.text(name, '') === '') this.faults.push(`${name} is missing: ${cure}.`)
  }

  integer(name: string, fallback: number, { min, max }: { min: number; max: number }): number {
    const text = this.text(name, '')
    if (text === '') return fallback
    const value = Number(text)
    if (Number.isInteger(value) && value >= min && value <= max) return value
    this.faults.push(`${name} is "${text}": use a whole number from ${min} to ${max}.`)
    return fallback
  }

  oneOf<const T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const text = this.text(name, fallback)
    const choice = choices.find((candidate) => candidate === text)
    if (choice) return choice
    this.faults.push(`${name} is "${text}": use one of ${choices.join(', ')}.`)
    return fallback
  }

  /** A URL such as https://example.org/path, without a trailing slash. */
  url(name: string, fallback: string): string {
    const text = this.text(name, fallback)
    if (text === '') return ''
    if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/(?<!\/)\/+$/, '')
    this.faults.push(`${name} is "${text}": use a full address such as https://example.org.`)
    return fallback
  }

  /** Scheme, host and port only. */
  origin(name: string, fallback: string): string {
    const text = this.url(name, fallback)
    if (URL.canParse(text) && new URL(text).origin === text) return text
    if (URL.canParse(text)) {
      this.faults.push(`${name} is "${text}": remove everything after the host, like ${new URL(text).origin}.`)
    }
    return fallback
  }

  email(name: string, fallback: string): string {
    const text = this.text(name, fallback)
    if (text === '' || isEmailShaped(text)) return text
    this.faults.push(`${name} is "${text}": use an email address.`)
    return fallback
  }

  /** null if it is not set. */
  timeZone(name: string): string | null {
    const text = this.text(name, '')
    if (text === '' || isTimeZone(text)) return text || null
    this.faults.push(`${name} is "${text}": use a zone name such as America/Chicago.`)
    return null
  }

  /** `off`, a number of hops, or addresses separated by commas. */
  trustProxy(name: string): false | number | string[] {
    const text = this.text(name, 'off')
    if (text === 'off' || text === '0') return false
    if (/^\d+$/.test(text)) return Number(text)
    const addresses = text.split(',').map((part) => part.trim())
    if (addresses.every((address) => /^[0-9a-fA-F.:]+(\/\d{1,3})?$/.test(address) && /[.:]/.test(address))) {
      return addresses
    }
    this.faults.push(`${name} is "${text}": use off, a number of proxies, or their addresses separated by commas.`)
    return false
  }

  /** `off` is null, `x100` is 100, not set is 1. */
  factor(name: string): number | null {
    const text = this.text(name, 'x1')
    if (text === 'off') return null
    const factor = Number(/^x(\d{1,6})$/.exec(text)?.[1])
    if (factor >= 1) return factor
    this.faults.push(`${name} is "${text}": remove it, or for benchmarks use off or a factor such as x100.`)
    return 1
  }

  /** Whether a group of variables is set, which requires all of them. `companions` are optional and need the group. */
  group(names: readonly string[], companions: readonly string[] = []): boolean {
    const missing = names.filter((name) => this.text(name, '') === '')
    const orphans = companions.filter((name) => this.text(name, '') !== '')
    if (missing.length === names.length && orphans.length === 0) return false
    const all = [...orphans, ...names].join(', ')
    for (const name of missing) this.faults.push(`${name} is missing: set it too, or remove ${all}.`)
    return missing.length === 0
  }
}

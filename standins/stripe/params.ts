import { badParameter, missingParameter } from './errors.ts'
import type { FormObject, FormValue } from './form-encoding.ts'

/** Parses one parameter; `path` is its name in Stripe's error messages. */
export type Param<T> = { read(value: FormValue, path: string): T; required?: boolean }
type Required<T> = Param<T> & { required: true }
export type Shape = Record<string, Param<unknown>>
export type Values<S extends Shape> = {
  [K in keyof S]: S[K] extends Required<infer T> ? T : S[K] extends Param<infer T> ? T | undefined : never
}

const LONGEST_TEXT = 5000
const LONGEST_METADATA_VALUE = 500
const LONGEST_METADATA_KEY = 40
const MOST_METADATA_KEYS = 50

export const text: Param<string> = {
  read(value, path) {
    if (typeof value !== 'string') throw badParameter('Invalid string', path)
    if (value.length > LONGEST_TEXT) {
      throw badParameter(`Invalid string: must be at most ${LONGEST_TEXT} characters`, path)
    }
    return value
  },
}

export const integer: Param<number> = {
  read(value, path) {
    if (typeof value !== 'string' || !/^-?\d+$/.test(value)) {
      throw badParameter(`Invalid integer: ${JSON.stringify(value)}`, path, 'parameter_invalid_integer')
    }
    return Number(value)
  },
}

export const number: Param<number> = {
  read(value, path) {
    if (typeof value !== 'string' || !/^-?\d+(\.\d+)?$/.test(value)) {
      throw badParameter(`Invalid decimal: ${JSON.stringify(value)}`, path)
    }
    return Number(value)
  },
}

export const flag: Param<boolean> = {
  read(value, path) {
    if (value === 'true' || value === 'false') return value === 'true'
    throw badParameter(`Invalid boolean: ${JSON.stringify(value)}`, path)
  },
}

/** Accepts any value: for parameters that are echoed without effect. */
export const anyValue: Param<FormValue> = { read: (value) => value }

export const url: Param<string> = {
  read(value, path) {
    const written = text.read(value, path)
    if (written === '' || URL.canParse(written.replaceAll('{CHECKOUT_SESSION_ID}', 'id'))) return written
    throw badParameter('Not a valid URL', path, 'url_invalid')
  },
}

export const email: Param<string> = {
  read(value, path) {
    const written = text.read(value, path)
    if (written === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(written)) return written
    throw badParameter(`Invalid email address: ${written}`, path, 'email_invalid')
  },
}

/** Added, changed and (with an empty value) removed keys; an empty string removes all. */
export const metadata: Param<Record<string, string> | ''> = {
  read(value, path) {
    if (value === '') return ''
    if (typeof value === 'string' || Array.isArray(value)) throw badParameter('Invalid hash', path)
    const entries = Object.entries(value).map(([key, entry]) => [key, text.read(entry, `${path}[${key}]`)] as const)
    if (entries.length > MOST_METADATA_KEYS) throw badParameter('Metadata can have up to 50 keys.', path)
    for (const [key, entry] of entries) {
      if (key.length > LONGEST_METADATA_KEY) {
        throw badParameter('Metadata keys can be up to 40 characters long.', `${path}[${key}]`)
      }
      if (entry.length > LONGEST_METADATA_VALUE) {
        throw badParameter(
          `Metadata values can have up to 500 characters, but you passed in a value that is ${entry.length} characters.`,
          `${path}[${key}]`,
        )
      }
    }
    return Object.fromEntries(entries)
  },
}

export type Range = { gt?: number; gte?: number; lt?: number; lte?: number }

export const range: Param<Range> = {
  read(value, path) {
    if (typeof value === 'string') {
      const exact = integer.read(value, path)
      return { gte: exact, lte: exact }
    }
    return readShape({ gt: integer, gte: integer, lt: integer, lte: integer }, value as FormObject, path)
  },
}

export function oneOf<const T extends string>(...values: T[]): Param<T> {
  return {
    read(value, path) {
      const found = values.find((allowed) => allowed === value)
      if (found !== undefined) return found
      throw badParameter(`Invalid ${path}: must be one of ${values.join(', ')}`, path)
    },
  }
}

export function listOf<T>(item: Param<T>): Param<T[]> {
  return {
    read(value, path) {
      if (value === '') return []
      if (!Array.isArray(value)) throw badParameter('Invalid array', path)
      return value.map((entry, index) => item.read(entry, `${path}[${index}]`))
    },
  }
}

export function objectOf<S extends Shape>(shape: S): Param<Values<S>> {
  return {
    read(value, path) {
      if (typeof value === 'string' || Array.isArray(value)) throw badParameter('Invalid object', path)
      return readShape(shape, value, path)
    },
  }
}

export function required<T>(param: Param<T>): Required<T> {
  return { read: (value, path) => param.read(value, path), required: true }
}

/** Throws Stripe's `parameter_unknown` and `parameter_missing`. */
export function readShape<S extends Shape>(shape: S, form: FormObject, path = ''): Values<S> {
  const unknown = Object.keys(form).find((name) => !Object.hasOwn(shape, name))
  if (unknown !== undefined) {
    const param = nameWithin(path, unknown)
    throw badParameter(`Received unknown parameter: ${param}`, param, 'parameter_unknown')
  }
  const values: Record<string, unknown> = {}
  for (const [name, param] of Object.entries(shape)) {
    const sent = form[name]
    if (sent === undefined || (param.required && sent === '')) {
      if (param.required) throw missingParameter(nameWithin(path, name))
    } else values[name] = param.read(sent, nameWithin(path, name))
  }
  return values as Values<S>
}

/** Applies metadata parameters to existing metadata. */
export function mergeMetadata(
  before: Record<string, string>,
  change: Record<string, string> | '' | undefined,
): Record<string, string> {
  if (change === undefined) return before
  if (change === '') return {}
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== ''))
}

function nameWithin(path: string, name: string): string {
  return path === '' ? name : `${path}[${name}]`
}

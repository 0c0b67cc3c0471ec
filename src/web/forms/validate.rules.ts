import { safeParse, type core } from 'zod/mini'

/** Error messages by field name. */
export type FieldErrors<Name extends string = string> = Partial<Record<Name, string>>

/** The values of a form's controls as text: a checked box is 'on', an unchecked one ''. */
export type FormValues<Name extends string = string> = Record<Name, string>

/** The first error of each field that the contract's schema rejects; nested fields are named like `name.first`. */
export function validate<Name extends string>(schema: core.$ZodType, values: object): FieldErrors<Name> {
  const problems: FieldErrors = {}
  for (const { path, message } of safeParse(schema, values).error?.issues ?? []) {
    problems[path.join('.')] ??= message
  }
  return problems
}

import { safeParse, type core } from 'zod/mini'

/** Sentences by field name. */
export type Problems<Name extends string = string> = Partial<Record<Name, string>>

/** What a form's controls hold, as text: a ticked box is 'on', an empty one ''. */
export type FormValues<Name extends string = string> = Record<Name, string>

/** The first sentence of each field that the contract's schema refuses; a field within a field is `name.first`. */
export function problemsOf<Name extends string>(schema: core.$ZodType, values: object): Problems<Name> {
  const problems: Problems = {}
  for (const { path, message } of safeParse(schema, values).error?.issues ?? []) {
    problems[path.join('.')] ??= message
  }
  return problems
}

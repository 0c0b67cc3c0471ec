import * as z from 'zod/mini'
import { Problem } from '#server/lib/problem.ts'

type Schema = z.core.$ZodType

/**
 * Parses input with a schema of the contract. Unknown fields are dropped.
 * @throws Problem INVALID_INPUT with a message for each invalid field, in the schema's order; nested fields are named like `name.first`
 */
export function readInput<S extends Schema>(schema: S, input: unknown): z.core.output<S> {
  const result = z.safeParse(schema, input)
  if (result.success) return result.data
  throw new Problem('INVALID_INPUT', { fields: collectMessages(result.error.issues, input) })
}

function collectMessages(issues: readonly z.core.$ZodIssue[], input: unknown): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of flatten(issues, input)) {
    const field = issue.path.join('.') || 'body'
    fields[field] ??= toMessage(issue)
  }
  return fields
}

/** Reports the issues of the intended branch of a union: the one with the fewest missing fields, then the fewest issues. */
function flatten(issues: readonly z.core.$ZodIssue[], input: unknown): z.core.$ZodIssue[] {
  const properties = typeof input === 'object' && input !== null ? input : {}
  const countMissing = (shape: readonly z.core.$ZodIssue[]) =>
    shape.filter(({ path }) => path[0] === undefined || !Object.hasOwn(properties, path[0])).length
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union') return [issue]
    const [intended] = [...issue.errors].sort((a, b) => countMissing(a) - countMissing(b) || a.length - b.length)
    // Paths within a branch are relative to the union.
    const absolute = intended?.map((fault) => ({ ...fault, path: [...issue.path, ...fault.path] }))
    return absolute ? flatten(absolute, input) : [issue]
  })
}

function toMessage(issue: z.core.$ZodIssue): string {
  return /^Invalid input/.test(issue.message) ? 'This is missing or of the wrong kind.' : issue.message
}

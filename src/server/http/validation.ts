import * as z from 'zod/mini'
import { Problem } from '../platform/problem.ts'

type Schema = z.core.$ZodType

/**
 * Reads input by a contract's schema. Unknown fields are dropped.
 * @throws Problem INVALID_INPUT with a sentence for each field at fault, in the schema's order; a field within a field is `name.first`.
 */
export function readInput<S extends Schema>(schema: S, input: unknown): z.core.output<S> {
  const result = z.safeParse(schema, input)
  if (result.success) return result.data
  throw new Problem('INVALID_INPUT', { fields: sentences(result.error.issues, input) })
}

function sentences(issues: readonly z.core.$ZodIssue[], input: unknown): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of flatten(issues, input)) {
    const field = issue.path.join('.') || 'body'
    fields[field] ??= readable(issue)
  }
  return fields
}

/** Of a choice between shapes, the complaints about the one that was meant: the shape that lacks the fewest fields, then has the fewest faults. */
function flatten(issues: readonly z.core.$ZodIssue[], input: unknown): z.core.$ZodIssue[] {
  const given = typeof input === 'object' && input !== null ? input : {}
  const lacking = (shape: readonly z.core.$ZodIssue[]) =>
    shape.filter(({ path }) => path[0] === undefined || !Object.hasOwn(given, path[0])).length
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union') return [issue]
    const [meant] = [...issue.errors].sort((a, b) => lacking(a) - lacking(b) || a.length - b.length)
    // A choice names its faults from where it stands.
    const placed = meant?.map((fault) => ({ ...fault, path: [...issue.path, ...fault.path] }))
    return placed ? flatten(placed, input) : [issue]
  })
}

function readable(issue: z.core.$ZodIssue): string {
  return /^Invalid input/.test(issue.message) ? 'This is missing or of the wrong kind.' : issue.message
}

import * as z from 'zod/mini'
import { Problem } from '../platform/problem.ts'

type Schema = z.core.$ZodType

/**
 * Reads input by a contract's schema. Unknown fields are dropped.
 * @throws Problem INVALID_INPUT with a sentence for each field at fault, in the schema's order.
 */
export function readInput<S extends Schema>(schema: S, input: unknown): z.core.output<S> {
  const result = z.safeParse(schema, input)
  if (result.success) return result.data
  throw new Problem('INVALID_INPUT', { fields: sentences(result.error.issues) })
}

function sentences(issues: readonly z.core.$ZodIssue[]): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of flatten(issues)) {
    const field = String(issue.path[0] ?? 'body')
    fields[field] ??= readable(issue)
  }
  return fields
}

/** Of a choice between shapes, the complaints about the shape that came nearest. */
function flatten(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union') return [issue]
    const nearest = [...issue.errors].sort((a, b) => a.length - b.length)[0]
    return nearest ? flatten(nearest) : [issue]
  })
}

function readable(issue: z.core.$ZodIssue): string {
  return /^Invalid input/.test(issue.message) ? 'This is missing or of the wrong kind.' : issue.message
}

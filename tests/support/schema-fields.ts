import type * as z from 'zod/mini'

export interface SchemaField {
  /** Its path, such as `saveContent.body.value.0.url`. */
  path: string
  /** The name of the property that contains it, without the rest of the path. */
  name: string
  schema: z.core.$ZodType
}

/** Every property of a schema, inside any wrapper: optional, a list, a union, a transformation. */
export function fieldsOf(schema: z.core.$ZodType, path: string): SchemaField[] {
  return walk(schema, path, new Set())
}

function walk(schema: z.core.$ZodType, path: string, above: ReadonlySet<z.core.$ZodType>): SchemaField[] {
  if (above.has(schema)) return []
  const seen = new Set([...above, schema])
  const { def } = schema._zod as unknown as { def: Record<string, unknown> & { type: string } }
  const inner = (one: unknown, step = '') => walk(one as z.core.$ZodType, path + step, seen)
  switch (def.type) {
    case 'object':
      return Object.entries(def['shape'] as Record<string, z.core.$ZodType>).flatMap(([name, one]) => [
        { path: `${path}.${name}`, name, schema: one },
        ...inner(one, `.${name}`),
      ])
    case 'array':
      return inner(def['element'], '[]')
    case 'record':
      return inner(def['valueType'], '{}')
    case 'union':
      return (def['options'] as unknown[]).flatMap((one) => inner(one))
    case 'pipe':
      return [...inner(def['in']), ...inner(def['out'])]
    default:
      return def['innerType'] === undefined ? [] : inner(def['innerType'])
  }
}

/** The unwrapped types of a field. */
export function leavesOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  const { def } = schema._zod as unknown as { def: Record<string, unknown> & { type: string } }
  if (def.type === 'union') return (def['options'] as z.core.$ZodType[]).flatMap(leavesOf)
  if (def.type === 'array') return leavesOf(def['element'] as z.core.$ZodType)
  if (def.type === 'pipe') return leavesOf(def['in'] as z.core.$ZodType)
  return def['innerType'] === undefined ? [schema] : leavesOf(def['innerType'] as z.core.$ZodType)
}

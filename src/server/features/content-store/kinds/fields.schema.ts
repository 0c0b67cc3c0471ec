import * as z from 'zod/mini'

/** Fields of several kinds; their messages are for the webmaster, who writes content files. */
export const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'use a date such as 2026-11-01, in quotes'))
export const term = z.string().check(z.regex(/^\d{4}-\d{2}$/, "use a term such as '2025-26', in quotes"))
export const artwork = z.string().check(z.regex(/^[a-z0-9-]+$/i, 'name an image of public/art'))
export const slug = z
  .string()
  .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'use lowercase letters, digits and hyphens, such as gala-under-the-oaks'))

/** What someone said. */
export const quote = z.object({ text: z.string(), name: z.string(), detail: z.optional(z.string()) })

/** A switch that older records lack, as do those in which it is off. */
export const optionalSwitch = z.optional(
  z.pipe(
    z.boolean(),
    z.transform((isOn: boolean) => (isOn ? true : undefined)),
  ),
)

/** A list that older records lack, as do those in which it is empty. */
export function optionalList<Item extends z.ZodMiniType>(item: Item) {
  return z.optional(
    z.pipe(
      z.array(item),
      z.transform((list: z.output<Item>[]) => (list.length > 0 ? list : undefined)),
    ),
  )
}

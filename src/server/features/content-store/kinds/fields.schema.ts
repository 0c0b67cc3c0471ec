import * as z from 'zod/mini'

/** Fields of several kinds; their messages are for the webmaster, who writes content files. */
export const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'use a date such as 2026-11-01, in quotes'))
export const term = z.string().check(z.regex(/^\d{4}-\d{2}$/, "use a term such as '2025-26', in quotes"))
export const artwork = z.string().check(z.regex(/^[a-z0-9-]+$/i, 'name an image of public/art'))
export const slug = z
  .string()
  .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'use lowercase letters, digits and hyphens, such as gala-under-the-oaks'))

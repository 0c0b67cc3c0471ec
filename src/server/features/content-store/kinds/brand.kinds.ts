import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { BRAND_KIND, PRINTS, SHIPPED_BRAND, TYPEFACES, type PublishedBrand } from '#contract/brand/brand.ts'
import { colorProblem } from '#contract/brand/color-checks.ts'
import { isColor } from '#contract/brand/color.ts'
import { pictureAddressField } from '#contract/fields.ts'
import { defineSingle, field } from '../content-kind.rules.ts'
import type { PublishedRecords } from '../record-set.rules.ts'
import { optionalSwitch } from './fields.schema.ts'

/** A color with enough contrast for its place. */
function colorField(name: string) {
  return z.string().check(
    z.toLowerCase(),
    z.refine(isColor, 'Enter a color as # and six digits, such as #0f4147'),
    z.superRefine((color, { addIssue }) => {
      const problem = colorProblem(name, color)
      if (problem) addIssue({ code: 'custom', message: problem })
    }),
  )
}

const brandSchema = z.object({
  primary: colorField('primary'),
  accent: colorField('accent'),
  typefaces: z.enum(TYPEFACES),
  prints: z.enum(PRINTS),
  mark: z.optional(
    pictureAddressField.check(z.refine((address) => /\.(?:svg|png)$/i.test(address), 'Choose an .svg or .png file')),
  ),
  isMarkInOneColor: optionalSwitch,
})

export const brandKind = defineSingle({
  kind: BRAND_KIND,
  schema: brandSchema,
  file: { name: 'brand.yaml' },
  label: 'Brand',
  lead: 'The look of the site, of emails, receipts and icons.',
  section: 'Settings',
  fields: [
    field('color', 'primary', 'Primary color', { hint: 'Headings, links, panels and the bar of the console.' }),
    field('color', 'accent', 'Accent color', {
      hint: 'Buttons and highlights. The text on buttons becomes dark or light by itself.',
    }),
    field('choice', 'typefaces', 'Typefaces', {
      options: [
        { value: 'eczar-anek', label: 'Eczar for headings, Anek for text' },
        { value: 'anek', label: 'Anek for everything' },
        { value: 'eczar', label: 'Eczar for everything' },
        { value: 'system', label: 'Typefaces of the visitor’s device' },
      ],
      hint: 'Emails and receipts use a serif or a plain typeface to match.',
    }),
    field('choice', 'prints', 'Prints', {
      options: [
        { value: 'shipped', label: 'Garland, hem and patterns' },
        { value: 'none', label: 'None' },
      ],
    }),
    field('picture', 'mark', 'Mark', {
      isRequired: false,
      hint: 'A square .svg or .png file. Without one, the site shows its own mark.',
    }),
    field('switch', 'isMarkInOneColor', 'Show the mark as a shape in the colors of the site'),
  ],
  // A site from before this setting has no record.
  complete: (value) => ({ ...SHIPPED_BRAND, ...value }),
  pathOf: () => '/',
})

/** Returns null as long as the site has the look it comes with. @param name of the association, which the share card shows */
export function publishedBrand(records: PublishedRecords, name: string): PublishedBrand | null {
  const brand = records.single(brandKind)
  if (!brand || isDeepStrictEqual(brand, SHIPPED_BRAND)) return null
  const version = createHash('sha256').update(JSON.stringify({ name, brand })).digest('hex').slice(0, 8)
  return { ...brand, version }
}

import * as z from 'zod/mini'
import { defineSingle, field } from '../content-kind.rules.ts'
import { optionalList, quote } from './fields.schema.ts'

const sponsorPageSchema = z.object({
  recommended: z.optional(z.string()),
  impactTitle: z.optional(z.string()),
  impact: optionalList(z.object({ figure: z.string(), text: z.string() })),
  quote: z.optional(quote),
})

/** What the page that sells sponsorships says beside the tiers, whose names, prices and benefits are their own. */
export const sponsorPageKind = defineSingle({
  kind: 'sponsor-page',
  schema: sponsorPageSchema,
  file: { name: 'sponsor-page.yaml', isSample: true },
  label: 'Sponsor us',
  lead: 'What the page says about sponsorships besides the tiers.',
  section: 'Support',
  fields: [
    field('line', 'recommended', 'Recommended tier', {
      isRequired: false,
      hint: 'Its name as on the page, such as Gold.',
    }),
    field('line', 'impactTitle', 'Heading', { isRequired: false, hint: 'Such as What sponsors made possible.' }),
    field('group', 'impact', 'What sponsors made possible', {
      fields: [
        field('line', 'figure', 'Figure', { hint: 'A number or an amount, such as 400 or $9.' }),
        field('text', 'text', 'What it stands for', { hint: 'One or two sentences. Three fit best.' }),
      ],
    }),
    field('text', 'quote.text', 'A sponsor’s words', {
      isRequired: false,
      hint: 'Without quotation marks. Ask the person before you publish it.',
    }),
    field('line', 'quote.name', 'Who says so', { isRequired: false }),
    field('line', 'quote.detail', 'About that person', { isRequired: false }),
  ],
  pathOf: () => '/sponsor-us',
})

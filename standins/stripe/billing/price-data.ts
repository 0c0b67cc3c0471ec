import { integer, listOf, metadata, objectOf, oneOf, required, text } from '../params.ts'
import type { Values } from '../params.ts'

export const PRODUCT_DATA = objectOf({
  name: required(text),
  description: text,
  images: listOf(text),
  metadata,
  tax_code: text,
  unit_label: text,
})

export const RECURRING = objectOf({
  interval: required(oneOf('day', 'week', 'month', 'year')),
  interval_count: integer,
  usage_type: oneOf('licensed'),
})

const PRICE_SHAPE = {
  currency: required(text),
  product: text,
  product_data: PRODUCT_DATA,
  recurring: RECURRING,
  tax_behavior: oneOf('exclusive', 'inclusive', 'unspecified'),
  unit_amount: integer,
}

export const PRICE_DATA = objectOf(PRICE_SHAPE)
export type PriceData = Values<typeof PRICE_SHAPE>

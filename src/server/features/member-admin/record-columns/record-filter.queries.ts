import { sql, type RawBuilder } from 'kysely'
import type { RecordField } from '#contract/member-record/record-fields.ts'

/** A condition on one field of the member record. */
export interface RecordCondition {
  /** null: the field is retired or unknown, so no one matches. A saved view of such a field must not reach everyone. */
  field: Pick<RecordField, 'key' | 'kind' | 'levels'> | null
  /** Alternatives; '' stands for members who are asked and have no value. */
  values: readonly string[]
}

/** Whether a member has such a value among those that officers see (`visibleTo`). In a query of `listed` members. */
export function recordMatches({ field, values }: RecordCondition): RawBuilder<boolean> {
  if (!field) return sql<boolean>`1 = 0`
  const { key, levels } = field
  const seen = sql`select account_id from record_value where field_key = ${key} and audience <> 'owner'`
  const wanted = values.filter((value) => value !== '').map((value) => holds(field, value))
  const alternatives =
    wanted.length > 0 ? [sql`listed.account_id in (${seen} and (${sql.join(wanted, sql` or `)}))`] : []
  if (values.includes('')) alternatives.push(sql`listed.account_id not in (${seen})`)
  const matches = sql<boolean>`(${sql.join(alternatives, sql` or `)})`
  return levels.length === 0 ? matches : sql<boolean>`(listed.level_key in (${sql.join(levels)}) and ${matches})`
}

/** Whether the stored JSON is this value, ignoring case; of a postal address, its city. */
function holds({ kind }: Pick<RecordField, 'kind'>, value: string): RawBuilder<boolean> {
  const text = JSON.stringify(value)
  if (kind === 'choices') return sql`lower(value) like lower(${containing(text)}) escape '\\'`
  if (kind === 'address') return sql`lower(value) like lower(${containing(`"city":${text}`)}) escape '\\'`
  return sql`lower(value) = lower(${kind === 'number' ? value : text})`
}

function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
}

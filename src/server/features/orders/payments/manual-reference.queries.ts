import { sql, type RawBuilder, type SqlBool } from 'kysely'

/** Whether the column has this reference, in capitals or small letters. In the words of the unique indexes (migration 0050). */
export function isManualReference(column: 'reference' | 'manual_reference', reference: string): RawBuilder<SqlBool> {
  const stored = sql.id(column)
  return sql<SqlBool>`lower(${stored}) = lower(${reference}) and substr(${stored}, 1, 8) = 'by-hand:'`
}

/** What an import said about an address. */
interface Said {
  importId: string
  importedAt: number
  undoneAt: number | null
  /** When something other than an import changed the suppression since. */
  touchedAt: number | null
  reason: string
  reasonBefore: string | null
}

/**
 * What undoing an import makes of the suppression of an address: the reason that remains (null: none), and whether no other import blocks the address, so that its
 * subscription can be restored too. Null: something else blocked the address or lifted that since, and everything stays.
 * @param imports of the address, oldest first, with those that were undone, and this one, which may be marked as undone already
 */
export function planUndo(
  importId: string,
  facts: { suppression: { reason: string; createdAt: number } | null; imports: readonly Said[] },
): { reason: string | null; endsBlock: boolean } | null {
  const { suppression } = facts
  const imports = facts.imports.filter(({ touchedAt }) => touchedAt === null)
  const before = imports[0]?.reasonBefore ?? null
  if (suppression === null || !imports.some((one) => one.importId === importId)) return null
  const isOlder = before === null && !imports.some(({ importedAt }) => importedAt === suppression.createdAt)
  const others = imports.filter((one) => one.undoneAt === null && one.importId !== importId)
  const now = imports.filter((one) => one.undoneAt === null || one.importId === importId)
  if (isOlder || suppression.reason !== reasonOf(before, now)) return null
  return { reason: reasonOf(before, others), endsBlock: others.length === 0 }
}

/** As `suppress` has it: the first reason stays, except that each other one replaces `left`. */
function reasonOf(before: string | null, said: readonly { reason: string }[]): string | null {
  let kept = before
  for (const { reason } of said) if (kept === null || kept === 'left') kept = reason
  return kept
}

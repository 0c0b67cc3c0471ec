import type { ContentValue } from '#contract/console/content.ts'
import { isOff, type Part } from '#contract/parts.ts'
import type { EditableKind } from './content-kind.rules.ts'
import type { PublishedRecords } from './record-set.rules.ts'

/** What a starter profile has where it cannot know the words, and the version of a page that no one has agreed to yet. */
const GAP = '[…]'
const DRAFT_VERSION = 'draft'

/** The settings of a part, which no one sees while it is off. */
const SETTINGS_OF: Partial<Record<string, Part>> = {
  'settings-clinic': 'clinic',
  'settings-scholarships': 'scholarships',
}

/**
 * The names of the records that still have gaps of a starter profile, or are legal pages whose version is still `draft`. Records of a part that is off
 * may have gaps.
 */
export function unfinishedRecords(
  kinds: readonly EditableKind[],
  records: PublishedRecords,
  partsOff: readonly Part[],
): string[] {
  return kinds.flatMap((kind) => {
    const part = SETTINGS_OF[kind.kind]
    if (part && partsOff.includes(part)) return []
    return records
      .list(kind)
      .map(({ id, value }) => ({ id, value: value as ContentValue }))
      .filter(({ id, value }) => !isOff(kind.pathOf?.(id, value) ?? '', partsOff) && isUnfinished(value))
      .map(({ value }) => (kind.isSingle ? kind.label : kind.title(value)))
  })
}

function isUnfinished(value: ContentValue): boolean {
  return JSON.stringify(value).includes(GAP) || value['version'] === DRAFT_VERSION
}

import { valueAt, type ContentValue } from '#contract/console/content.ts'
import { isOff, type Part } from '#contract/parts.ts'
import { TEXT_GAP, type UnfinishedRecord } from '#contract/setup/site-setup.ts'
import type { EditableKind } from './content-kind.rules.ts'
import type { PublishedRecords } from './record-set.rules.ts'

/** The version of a page that no one has agreed to yet. */
const DRAFT_VERSION = 'draft'

/** The settings of a part, which no one sees while it is off. */
const SETTINGS_OF: Partial<Record<string, Part>> = {
  'settings-clinic': 'clinic',
  'settings-scholarships': 'scholarships',
}

/**
 * The records that still have gaps of a starter profile, or are legal pages whose version is still `draft`. Records of a part that is off may have gaps.
 */
export function unfinishedRecords(
  kinds: readonly EditableKind[],
  records: PublishedRecords,
  partsOff: readonly Part[],
): UnfinishedRecord[] {
  return kinds.flatMap((kind) => {
    const part = SETTINGS_OF[kind.kind]
    if (part && partsOff.includes(part)) return []
    return records
      .list(kind)
      .map(({ id, value }) => ({ id, value: value as ContentValue }))
      .filter(({ id, value }) => !isOff(kind.pathOf?.(id, value) ?? '', partsOff) && (hasGap(value) || isDraft(value)))
      .map(({ id, value }) => ({
        kind: kind.kind,
        id,
        name: kind.isSingle ? kind.label : kind.title(value),
        fields: kind.fields.flatMap(({ name, label }) => placesOfGaps(valueAt(value, name), label)),
        isDraft: isDraft(value),
      }))
  })
}

function hasGap(value: unknown): boolean {
  return value !== undefined && JSON.stringify(value).includes(TEXT_GAP)
}

function isDraft(value: ContentValue): boolean {
  return value['version'] === DRAFT_VERSION
}

/** Where a field has gaps: its label, with the beginning of each entry of a list, such as a question. */
function placesOfGaps(value: unknown, label: string): string[] {
  if (!hasGap(value)) return []
  if (!Array.isArray(value)) return [label]
  return value.flatMap((entry: unknown) => {
    if (!hasGap(entry)) return []
    const [first] = typeof entry === 'object' && entry !== null ? Object.values(entry) : [entry]
    return [typeof first === 'string' && !first.includes(TEXT_GAP) ? `${label}, “${first}”` : label]
  })
}

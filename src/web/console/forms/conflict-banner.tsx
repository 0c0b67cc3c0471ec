import { Banner } from '#web/ui/banner.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import type { FieldConflict } from './use-draft-form.ts'

/** Lists the newer saved values that saving again would overwrite. */
export function ConflictBanner({ conflicts }: { conflicts: readonly FieldConflict[] }) {
  if (conflicts.length === 0) return null
  return (
    <div className="form-messages" role="group" aria-label="Newer version">
      <Banner tone="warn" title="Another officer saved a newer version">
        <KeyValueList items={[...conflicts]} />
      </Banner>
    </div>
  )
}

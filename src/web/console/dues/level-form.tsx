import { duesLimits, saveLevel, type DuesLevel, type LevelWithChanges } from '#contract/console/dues.ts'
import { officerErrorMessage } from '../shell/call-as-officer.ts'
import { saveAsOfficer } from '../shell/save-as-officer.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { Checkbox, Field, TextArea } from '#web/ui/field.tsx'

const FIELDS = { name: 'Name', description: 'Description', isOnSale: 'Available to new members' }

interface LevelFormProps {
  level: DuesLevel
  onSaved(found: LevelWithChanges): void
}

/** A level's name, description and availability. */
export function LevelForm({ level, onSaved }: LevelFormProps) {
  const form = useDraftForm(`level-words:${level.key}`, {
    fields: FIELDS,
    saved: { name: level.name, description: level.description, isOnSale: level.isOnSale ? 'on' : '' },
    savesInTopBar: true,
    display: { isOnSale: (value) => (value ? 'Yes' : 'No') },
    errorMessage: officerErrorMessage,
    async send({ name, description, isOnSale }) {
      const body = { name, description, isOnSale: isOnSale === 'on', version: level.version }
      onSaved(await saveAsOfficer(saveLevel, { params: { key: level.key }, body }))
    },
  })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <Field {...form.field('name')} maxLength={duesLimits.nameMax} autoComplete="off" />
      <TextArea
        {...form.field('description')}
        rows={2}
        maxLength={duesLimits.descriptionMax}
        hint="Shown on the membership levels page."
      />
      <Checkbox {...form.checkbox('isOnSale')} />
      {level.isOnSale && form.values.isOnSale === '' && (
        <p className="small soft">New members can’t choose it. Current members keep it and renew as before.</p>
      )}
    </form>
  )
}

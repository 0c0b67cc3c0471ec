import { useState } from 'react'
import { duesLimits, saveLevel, type DuesLevel, type LevelWithChanges } from '#contract/console/dues.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { saveOrReloadOnConflict } from '../forms/edit-conflicts.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field, TextArea } from '#web/ui/field.tsx'

const FIELDS = ['name', 'description', 'isOnSale'] as const

interface LevelFormProps {
  level: DuesLevel
  onSaved(found: LevelWithChanges): void
  reload(): void
}

/** A level's name, description and availability. */
export function LevelForm({ level, onSaved, reload }: LevelFormProps) {
  const [chosen, setOnSale] = useState<boolean | null>(null)
  const isOnSale = chosen ?? level.isOnSale
  const form = useDraftForm(`level-words:${level.key}`, {
    order: FIELDS,
    saved: { name: level.name, description: level.description },
    errorMessage: officerErrorMessage,
    async send({ name, description }) {
      const body = { name, description, isOnSale, version: level.version }
      onSaved(
        await saveOrReloadOnConflict(reload, () => callAsOfficer(saveLevel, { params: { key: level.key }, body })),
      )
    },
  })
  const { name, description } = form.errors
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <Field
        label="Name"
        name="name"
        maxLength={duesLimits.nameMax}
        autoComplete="off"
        defaultValue={level.name}
        {...(name && { error: name })}
      />
      <TextArea
        label="Description"
        name="description"
        rows={2}
        maxLength={duesLimits.descriptionMax}
        hint="Shown on the membership levels page."
        defaultValue={level.description}
        {...(description && { error: description })}
      />
      <Checkbox
        name="isOnSale"
        label="Available to new members"
        checked={isOnSale}
        onChange={({ target }) => setOnSale(target.checked)}
      />
      {level.isOnSale && !isOnSale && (
        <p className="small soft">New members can’t choose it. Current members keep it and renew as before.</p>
      )}
      <Button type="submit" variant="line" busy={form.isSubmitting} busyLabel="Saving">
        Save
      </Button>
    </form>
  )
}

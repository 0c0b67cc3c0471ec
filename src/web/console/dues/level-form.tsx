import { useState } from 'react'
import { duesLimits, saveLevel, type DuesLevel, type LevelWithChanges } from '#contract/console-dues.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { heedOthers, useOvertaken } from '#web/features/console/heed-others.ts'
import { KeptFormMessages } from '#web/features/console/kept-form-messages.tsx'
import { SaysNow } from '#web/features/console/says-now.tsx'
import { useKeptForm } from '#web/features/console/use-kept-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field, TextArea } from '#web/ui/field.tsx'

const FIELDS = ['name', 'description', 'isOnSale'] as const

interface LevelFormProps {
  level: DuesLevel
  onSaved(found: LevelWithChanges): void
  reload(): void
}

/** What a level is called, what is said of it, and whether it can be bought. */
export function LevelForm({ level, onSaved, reload }: LevelFormProps) {
  const [chosen, setOnSale] = useState<boolean | null>(null)
  const isOnSale = chosen ?? level.isOnSale
  const form = useKeptForm(`level-words:${level.key}`, {
    order: FIELDS,
    explain: explainToOfficer,
    async send({ name, description }) {
      const body = { name, description, isOnSale, version: level.version }
      onSaved(await heedOthers(reload, () => callAsOfficer(saveLevel, { params: { key: level.key }, body })))
    },
  })
  const overtaken = useOvertaken(form.props.ref, { name: level.name, description: level.description }, form.found)
  const { name, description } = form.problems
  return (
    <form {...form.props}>
      <KeptFormMessages form={form} />
      <SaysNow overtaken={overtaken} />
      <Field
        label="Name"
        name="name"
        maxLength={duesLimits.nameMax}
        autoComplete="off"
        defaultValue={level.name}
        {...(name && { error: name })}
      />
      <TextArea
        label="For whom it is"
        name="description"
        rows={2}
        maxLength={duesLimits.descriptionMax}
        hint="Stands on the page of the levels."
        defaultValue={level.description}
        {...(description && { error: description })}
      />
      <Checkbox
        name="isOnSale"
        label="On sale"
        checked={isOnSale}
        onChange={({ target }) => setOnSale(target.checked)}
      />
      {level.isOnSale && !isOnSale && (
        <p className="small soft">Nobody new can choose it. Whoever holds it keeps it, and renews as before.</p>
      )}
      <Button type="submit" variant="line" busy={form.isSending} busyLabel="Saving">
        Save
      </Button>
    </form>
  )
}

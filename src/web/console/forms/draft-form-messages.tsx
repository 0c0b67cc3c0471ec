import { FormMessages } from '#web/forms/form-messages.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { ConflictBanner } from './conflict-banner.tsx'
import type { DraftForm } from './use-draft-form.ts'

/** `FormMessages` plus a note when a draft was restored, and conflicts with a newer version. */
export function DraftFormMessages<Name extends string>({ form }: { form: DraftForm<Name> }) {
  return (
    <>
      {form.isRestored && <Banner tone="note">We restored your unsaved draft.</Banner>}
      <FormMessages form={form} />
      <ConflictBanner conflicts={form.conflicts} />
    </>
  )
}

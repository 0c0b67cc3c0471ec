import { FormMessages } from '#web/forms/form-messages.tsx'
import { Banner } from '#web/ui/banner.tsx'
import type { DraftForm } from './use-draft-form.ts'

/** `FormMessages` plus a note when a draft was restored. */
export function DraftFormMessages<Name extends string>({ form }: { form: DraftForm<Name> }) {
  return (
    <>
      {Object.keys(form.restored).length > 0 && <Banner tone="note">We restored your unsaved draft.</Banner>}
      <FormMessages form={form} />
    </>
  )
}

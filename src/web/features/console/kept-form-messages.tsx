import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { Banner } from '#web/ui/banner.tsx'
import type { KeptForm } from './use-kept-form.ts'

/** As `FormMessages`, and that the form came back filled. */
export function KeptFormMessages<Name extends string>({ form }: { form: KeptForm<Name> }) {
  return (
    <>
      {Object.keys(form.found).length > 0 && <Banner tone="note">This is what you had begun to write here.</Banner>}
      <FormMessages form={form} />
    </>
  )
}

import { Banner } from '#web/ui/banner.tsx'
import { ErrorSummary } from '#web/ui/error-summary.tsx'
import type { Form } from './use-form.ts'

/** The errors of the last attempt, above the fields. */
export function FormMessages<Name extends string>({ form }: { form: Form<Name> }) {
  const { summary, failure, failureRef } = form
  if (!failure && summary.length === 0) return null
  return (
    <div className="form-messages">
      <ErrorSummary title={summaryTitle(summary.length)} errors={summary} />
      {failure && (
        <Banner tone="bad" role="alert" ref={failureRef}>
          {failure}
        </Banner>
      )}
    </div>
  )
}

function summaryTitle(count: number): string {
  return count === 1 ? 'One thing needs another look' : `${count} things need another look`
}

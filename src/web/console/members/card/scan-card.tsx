import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { lineField } from '#contract/fields.ts'
import { scanCard, type ScannedCard } from '#contract/console/people/member-card.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { createCodeReader } from '#web/console/events/code-reader.ts'
import { Scanner } from '#web/console/events/scanner.tsx'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer, officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { ConsolePage } from '#web/console/shell/console-page.tsx'
import { useAction } from '#web/console/shell/use-action.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { validate } from '#web/forms/validate.rules.ts'

/** What a membership card stands for now: scanned with the camera, typed, or opened by the phone's own camera (`#` and the code). */
export default function ScanCardPage() {
  const [isScanning, setScanning] = useState(false)
  const [scanned, setScanned] = useState<{ card: ScannedCard | null } | null>(null)
  const action = useAction()
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const reader = useMemo(() => createCodeReader(), [])

  async function scan(code: string) {
    setScanned(null)
    await action.run('scan', async () => setScanned(await callAsOfficer(scanCard, { body: { code } })))
  }

  const scanAddress = useEffectEvent((code: string) => {
    // The code does not stay in the address.
    void navigate(pathname, { replace: true })
    void scan(code)
  })
  useEffect(() => {
    if (hash.length > 1) scanAddress(hash.slice(1))
  }, [hash])

  return (
    <ConsolePage title="Scan a card" lead="Shows whether the membership on a card is valid at this moment.">
      <ActionMessages action={action} />
      <div className="buttons">
        <Button onClick={() => setScanning(!isScanning)}>
          {isScanning ? 'Stop scanning' : 'Scan with the camera'}
        </Button>
      </div>
      {isScanning && <Scanner reader={reader} onCode={(code) => void scan(code)} />}
      <div role="status">{scanned && <Answer card={scanned.card} />}</div>
      <CodeForm onCode={scan} />
    </ConsolePage>
  )
}

const FIELDS = ['code'] as const
const fields = z.object({ code: lineField('Enter the code or the address that it leads to.', 500) })

function CodeForm({ onCode }: { onCode(code: string): Promise<void> }) {
  const form = useForm({
    order: FIELDS,
    check: (values) => validate<'code'>(fields, values),
    errorMessage: officerErrorMessage,
    send: ({ code }) => onCode(code.trim()),
  })
  return (
    <form {...form.props} className="card">
      <FormMessages form={form} />
      <Field
        label="Code or address of a card"
        name="code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={form.errors.code}
      />
      <Button type="submit" variant="line">
        Check
      </Button>
    </form>
  )
}

const ANSWERS: Record<ScannedCard['status'], { tone: 'good' | 'warn' | 'bad'; says: string }> = {
  active: { tone: 'good', says: 'Active' },
  past_due: { tone: 'warn', says: 'Past due' },
  lapsed: { tone: 'bad', says: 'Lapsed' },
  disabled: { tone: 'bad', says: 'Account disabled' },
}

function Answer({ card }: { card: ScannedCard | null }) {
  if (!card) {
    return (
      <Banner tone="bad" title="Not a valid code">
        No card has this code now. Ask for the member’s name instead.
      </Banner>
    )
  }
  const { status, name, level, number, until, memberId } = card
  const { tone, says } = ANSWERS[status]
  return (
    <Banner tone={tone} title={`${says}: ${name}`}>
      <p>
        {level ?? 'No membership'}, no. {number}. {level && untilText(status, until)}
      </p>
      {memberId !== null && (
        <p>
          <Link to={`/console/members/${memberId}`}>Open {name}</Link>
        </p>
      )}
    </Banner>
  )
}

function untilText(status: ScannedCard['status'], until: string | null): string {
  if (until === null) return 'For life.'
  return `${status === 'lapsed' ? 'Ended' : 'Until'} ${formatLongDate(until)}.`
}

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { checkPayments, type PaymentRow, type PaymentVerdict } from '#contract/console/money/record-payments.ts'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { isBlank } from './payment-rows.rules.ts'

const PAUSE_MS = 500

/** The verdicts on rows as they are typed. Blank rows have none. */
export function usePaymentVerdicts(rows: readonly PaymentRow[]) {
  const sent = rows.flatMap((row, index) => (isBlank(row) ? [] : [{ row, index }]))
  const text = JSON.stringify(sent.map(({ row }) => row))
  const [checked, setChecked] = useState<{
    text: string
    verdicts: PaymentVerdict[]
    total: number
    version: string
  } | null>(null)
  const newest = useRef(0)

  async function check(): Promise<string | null> {
    const turn = ++newest.current
    if (sent.length === 0) {
      setChecked(null)
      return null
    }
    try {
      const found = await callAsOfficer(checkPayments, { body: { rows: sent.map(({ row }) => row) } })
      if (turn === newest.current) setChecked({ text, ...found })
      return found.verdicts.every(({ faults }) => faults.length === 0) ? found.version : null
    } catch {
      // The next change, or recording, tries again; recording reports what is wrong.
      return null
    }
  }
  const checkLater = useEffectEvent(() => void check())
  useEffect(() => {
    const timer = setTimeout(checkLater, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])

  const isCurrent = checked?.text === text
  return {
    /** The verdict on a row, also while a newer one is on its way. */
    of(index: number): PaymentVerdict | null {
      const at = sent.findIndex((one) => one.index === index)
      return (at >= 0 ? checked?.verdicts[at] : null) ?? null
    },
    total: isCurrent ? checked.total : 0,
    isChecking: sent.length > 0 && !isCurrent,
    /** Checks now. Resolves to the version to record, or null if a row has a fault. */
    checkNow: check,
  }
}

import { useState } from 'react'
import { endCoupon, listCoupons, type ConsoleCoupon, type CouponState } from '#contract/console-coupons.ts'
import { formatLongDate } from '#contract/dates.ts'
import { writeDay } from '#contract/days.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { heedOthers } from '#web/features/console/heed-others.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { useLookAgain } from '#web/features/console/use-look-again.ts'
import { CouponForm } from '#web/features/coupons/coupon-form.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const LOOK_AGAIN_MS = 2_000

/** Codes that take something off a first term. */
export default function CouponsPage() {
  const found = useLoaded('coupons', () => callAsOfficer(listCoupons))
  const [ending, setEnding] = useState<ConsoleCoupon | null>(null)
  const action = useAction()
  const isWaiting = found.value?.coupons.some(({ state }) => state === 'waiting') ?? false
  useLookAgain(found, { isGoingOn: isWaiting, everyMs: LOOK_AGAIN_MS })

  const end = ({ id, code }: ConsoleCoupon) =>
    action.run(
      'end',
      async () =>
        found.setValue(await heedOthers(found.reload, () => callAsOfficer(endCoupon, { params: { id }, body: {} }))),
      `${code} is ended.`,
    )

  return (
    <ConsolePage title="Coupons" lead="Codes that make a first term cheaper, or free.">
      <ActionMessages action={action} />
      <WhenLoaded loaded={found} what="the coupons">
        {(list) => (
          <div className="member-sheets">
            {list.mayChange && (
              <Sheet title="A new code">
                <CouponForm
                  key={list.coupons.length}
                  found={list}
                  onAdded={(next, code) => {
                    found.setValue(next)
                    action.say(`${code} is given out.`)
                  }}
                />
              </Sheet>
            )}
            <Sheet title="Codes so far">
              {list.coupons.length === 0 ? (
                <p className="soft">No code was given out yet.</p>
              ) : (
                <ul className="records">
                  {list.coupons.map((coupon) => (
                    <CouponLine
                      key={coupon.id}
                      coupon={coupon}
                      onEnd={list.mayChange && isOut(coupon) ? () => setEnding(coupon) : null}
                    />
                  ))}
                </ul>
              )}
            </Sheet>
          </div>
        )}
      </WhenLoaded>
      <Dialog
        open={ending !== null}
        onClose={() => setEnding(null)}
        title={`End ${ending?.code ?? 'the code'}?`}
        width="30rem"
      >
        <p>From now on nobody can use it, and it cannot be given out again. What was paid with it stays as it is.</p>
        <div className="buttons">
          <Button
            variant="danger"
            onClick={() => {
              if (ending) void end(ending)
              setEnding(null)
            }}
          >
            End it
          </Button>
          <Button variant="line" onClick={() => setEnding(null)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </ConsolePage>
  )
}

function CouponLine({ coupon, onEnd }: { coupon: ConsoleCoupon; onEnd: (() => void) | null }) {
  const { code, off, levels, validUntil, uses, mostUses, note, createdBy, createdAt } = coupon
  return (
    <li>
      <div>
        <p>
          <strong>{code}</strong> {off} <StateBadge state={coupon.state} />
        </p>
        <p>
          {levels.join(', ')}
          {validUntil && `. Until ${writeDay(validUntil)}`}
        </p>
        <p className="small soft">
          {usesWords(uses, mostUses)} · {createdBy}, {formatLongDate(createdAt)}
          {note && (
            <>
              <br />
              {note}
            </>
          )}
        </p>
        {coupon.state === 'refused' && (
          <p className="small">The card provider would not make it: most likely it knows this code from elsewhere.</p>
        )}
      </div>
      {onEnd && (
        <Button variant="line" size="small" aria-label={`End ${code}`} onClick={onEnd}>
          End it
        </Button>
      )}
    </li>
  )
}

const STATES: Record<CouponState, [words: string, tone: 'ok' | 'quiet' | 'warn' | 'bad']> = {
  waiting: ['Being made', 'warn'],
  active: ['Valid', 'ok'],
  'used-up': ['Used up', 'quiet'],
  expired: ['Over', 'quiet'],
  ended: ['Ended', 'quiet'],
  refused: ['Not made', 'bad'],
}

function StateBadge({ state }: { state: CouponState }) {
  const [words, tone] = STATES[state]
  return <Badge tone={tone}>{words}</Badge>
}

function isOut({ state }: ConsoleCoupon): boolean {
  return state !== 'ended' && state !== 'refused'
}

function usesWords(uses: number, mostUses: number | null): string {
  if (uses === 0) return mostUses === null ? 'Not used yet' : `Not used yet, ${mostUses} at most`
  const times = uses === 1 ? 'Used once' : `Used ${uses} times`
  return mostUses === null ? times : `${times} of ${mostUses}`
}

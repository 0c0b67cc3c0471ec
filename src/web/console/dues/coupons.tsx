import { useState } from 'react'
import { endCoupon, listCoupons, type ConsoleCoupon, type CouponState } from '#contract/console/coupons.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { saveAsOfficer } from '../shell/save-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { Drawer } from '../ui/drawer.tsx'
import { Empty } from '../ui/empty.tsx'
import { Panel } from '../ui/panel.tsx'
import { CouponForm } from './coupon-form.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'

const POLL_MS = 2_000

/** Coupon codes that discount a first term. */
export default function CouponsPage() {
  const found = useLoaded(listCoupons, {}, ({ coupons }) => coupons.some(({ state }) => state === 'waiting') && POLL_MS)
  const [isAdding, setAdding] = useState(false)
  const [ending, setEnding] = useState<ConsoleCoupon | null>(null)
  const action = useAction()

  const end = ({ id, code }: ConsoleCoupon) =>
    action.run(
      'end',
      async () => found.setValue(await saveAsOfficer(endCoupon, { params: { id }, body: {} })),
      `${code} was deactivated.`,
    )

  return (
    <ConsolePage
      title="Coupons"
      lead="Codes that discount a member’s first term."
      action={found.value?.mayChange && <Button onClick={() => setAdding(true)}>New coupon</Button>}
    >
      <ActionMessages action={action} />
      <WhenLoaded loaded={found} what="the coupons">
        {(list) => (
          <>
            <Drawer open={isAdding} onClose={() => setAdding(false)} title="New coupon">
              <div className="drawer-form">
                <CouponForm
                  found={list}
                  onAdded={(next, code) => {
                    found.setValue(next)
                    setAdding(false)
                    action.showDone(`${code} is active.`)
                  }}
                />
              </div>
            </Drawer>
            {list.coupons.length === 0 ? (
              <Empty title="No coupons yet.">A code lowers the price of a member’s first term.</Empty>
            ) : (
              <Panel title="Coupon codes">
                <ul className="records">
                  {list.coupons.map((coupon) => (
                    <CouponLine
                      key={coupon.id}
                      coupon={coupon}
                      onEnd={list.mayChange && isActive(coupon) ? () => setEnding(coupon) : null}
                    />
                  ))}
                </ul>
              </Panel>
            )}
          </>
        )}
      </WhenLoaded>
      <Dialog
        open={ending !== null}
        onClose={() => setEnding(null)}
        title={`Deactivate ${ending?.code ?? 'this coupon'}?`}
        width="30rem"
      >
        <p>No one can use it from now on, and it cannot be reactivated. Payments made with it are not affected.</p>
        <div className="buttons">
          <Button
            variant="danger"
            onClick={() => {
              if (ending) void end(ending)
              setEnding(null)
            }}
          >
            Deactivate
          </Button>
          <Button variant="line" onClick={() => setEnding(null)}>
            Cancel
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
          {validUntil && `. Until ${formatDay(validUntil)}`}
        </p>
        <p className="small soft">
          {usageText(uses, mostUses)} · {createdBy}, {formatLongDate(createdAt)}
          {note && (
            <>
              <br />
              {note}
            </>
          )}
        </p>
        {coupon.state === 'refused' && (
          <p className="small">The card provider rejected it. Most likely this code is already in use there.</p>
        )}
      </div>
      {onEnd && (
        <Button variant="line" size="small" aria-label={`Deactivate ${code}`} onClick={onEnd}>
          Deactivate
        </Button>
      )}
    </li>
  )
}

const STATES: Record<CouponState, [label: string, tone: 'ok' | 'quiet' | 'warn' | 'bad']> = {
  waiting: ['Creating', 'warn'],
  active: ['Active', 'ok'],
  'used-up': ['Fully used', 'quiet'],
  expired: ['Expired', 'quiet'],
  ended: ['Deactivated', 'quiet'],
  refused: ['Failed', 'bad'],
}

function StateBadge({ state }: { state: CouponState }) {
  const [label, tone] = STATES[state]
  return <Badge tone={tone}>{label}</Badge>
}

function isActive({ state }: ConsoleCoupon): boolean {
  return state !== 'ended' && state !== 'refused'
}

function usageText(uses: number, mostUses: number | null): string {
  if (uses === 0) return mostUses === null ? 'Not used yet' : `Not used yet, limit ${mostUses}`
  const times = uses === 1 ? 'Used once' : `Used ${uses} times`
  return mostUses === null ? times : `${times} of ${mostUses}`
}

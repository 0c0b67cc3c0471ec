import { region } from '#contract/region.ts'
import { useState } from 'react'
import { formatMoney } from '#contract/money.ts'
import type { SponsorTier } from '#contract/public/sponsors.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, preloadDialog } from '#web/ui/overlays/dialog.tsx'
import { SponsorForm } from './sponsor-form.tsx'
import { TierCard } from './tier-card.tsx'

/** The tiers, and a dialog with the form for the selected one. */
export function TierList({ tiers, recommended }: { tiers: SponsorTier[]; recommended: string | null }) {
  const [selected, setSelected] = useState<SponsorTier | null>(null)
  const [isOpen, setOpen] = useState(false)

  return (
    <>
      <div className="tiers">
        {tiers.map((tier) => (
          <TierCard key={tier.name} tier={tier} isFeatured={tier.name === recommended}>
            <Button
              variant={tier.name === recommended ? 'solid' : 'line'}
              size="small"
              onClick={() => {
                setSelected(tier)
                setOpen(true)
              }}
              onPointerEnter={() => void preloadDialog().catch(() => {})}
            >
              Select {tier.name}
            </Button>
          </TierCard>
        ))}
      </div>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={selected ? dialogTitle(selected) : ''}
        closesWhileBusy
      >
        {selected && <SponsorForm tier={selected} onCancel={() => setOpen(false)} />}
      </Dialog>
    </>
  )
}

function dialogTitle({ name, unitAmount }: SponsorTier): string {
  return unitAmount === null ? name : `${name} sponsorship, ${formatMoney(unitAmount, region().currency)}`
}

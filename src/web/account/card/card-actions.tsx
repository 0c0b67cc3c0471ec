import { useState } from 'react'
import {
  getAppleWalletLink,
  getGoogleWalletLink,
  replaceCard,
  type MembershipCard,
} from '#contract/public/my-account/membership-card.ts'
import { redirectTo } from '#web/api/redirect.ts'
import { errorMessage } from '#web/forms/error-message.ts'
import { callAsMember } from '#web/session/call-as-member.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { CARD_KEPT_DAYS, dropCard, keepCard } from './stored-card.ts'
import type { CardState } from './use-card.ts'

interface CardActionsProps extends Pick<Extract<CardState, { step: 'shown' }>, 'card' | 'owner' | 'isLive' | 'isKept'> {
  onCard(card: MembershipCard, owner: string): void
}

type Doing = 'keep' | 'apple' | 'google' | 'replace'

const CANNOT_KEEP = 'This browser cannot keep pages for use without a network. A private window, for example, does not.'

/** What a member does with the card: keep it on the phone, save it to a wallet, get a new code. */
export function CardActions({ card, owner, isLive, isKept, onCard }: CardActionsProps) {
  const [busy, setBusy] = useState<Doing | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)

  async function run(doing: Doing, act: () => Promise<string | void>) {
    setBusy(doing)
    setFailure(null)
    try {
      setFailure((await act()) ?? null)
    } catch (cause) {
      const failed = 'This did not work. Please check your connection and try again.'
      setFailure(errorMessage(cause, { refused: failed, network: failed }))
    }
    setBusy(null)
  }

  async function keep() {
    if (owner === null || !(await keepCard(owner, card))) return CANNOT_KEEP
    onCard(card, owner)
  }

  async function remove() {
    await dropCard()
    if (owner !== null) onCard(card, owner)
  }

  async function replace() {
    setAsking(false)
    const replaced = await callAsMember(replaceCard)
    if (owner !== null) onCard(replaced, owner)
  }

  async function openWallet(getLink: typeof getAppleWalletLink | typeof getGoogleWalletLink) {
    const { url } = await callAsMember(getLink)
    await redirectTo(url)
  }

  return (
    <>
      {isKept && (
        <p className="small">Works offline on this phone until you sign out, for at most {CARD_KEPT_DAYS} days.</p>
      )}
      {failure !== null && <p role="alert">{failure}</p>}
      {isLive && (
        <div className="buttons">
          {card.code && !isKept && (
            <Button variant="line" busy={busy === 'keep'} busyLabel="Saving" onClick={() => void run('keep', keep)}>
              Keep on this phone
            </Button>
          )}
          {isKept && (
            <Button variant="line" onClick={() => void run('keep', remove)}>
              Remove from this phone
            </Button>
          )}
          {card.hasAppleWallet && (
            <Button
              variant="line"
              busy={busy === 'apple'}
              busyLabel="Opening"
              onClick={() => void run('apple', () => openWallet(getAppleWalletLink))}
            >
              Add to Apple Wallet
            </Button>
          )}
          {card.hasGoogleWallet && (
            <Button
              variant="line"
              busy={busy === 'google'}
              busyLabel="Opening"
              onClick={() => void run('google', () => openWallet(getGoogleWalletLink))}
            >
              Add to Google Wallet
            </Button>
          )}
          {(card.code ?? (card.revokedAt !== null && card.status !== 'lapsed')) && (
            <Button variant="line" busy={busy === 'replace'} busyLabel="Replacing" onClick={() => setAsking(true)}>
              Get a new code
            </Button>
          )}
        </div>
      )}
      <Dialog open={isAsking} onClose={() => setAsking(false)} title="Get a new code?" width="30rem">
        <p>
          The code you have now stops working at once, on every phone and in every wallet. Do this after you lost a
          phone with your card.
        </p>
        <div className="buttons">
          <Button onClick={() => void run('replace', replace)}>Replace code</Button>
          <Button variant="line" onClick={() => setAsking(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </>
  )
}

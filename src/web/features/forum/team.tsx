import { HandCoins, HeartPulse, type LucideIcon, NotebookPen, Stethoscope, UserRound } from 'lucide-react'
import { useState } from 'react'
import type { ForumMember } from '#contract/forum.ts'
import type { StoredImage } from '#contract/media.ts'
import { PICTURES_FAILED, usePictures } from '#web/features/media/use-pictures.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, preloadDialog } from '#web/ui/dialog.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Picture } from '#web/ui/picture.tsx'

interface TeamProps {
  members: ForumMember[]
  /** Of the team's folder, as the server saw it. */
  images: StoredImage[]
}

/** The forum's officers; a card opens the whole biography (specification 2). */
export function Team({ members, images: rendered }: TeamProps) {
  const { step, images, pictureFailed } = usePictures('exec', 'team', rendered)
  const [shown, setShown] = useState<ForumMember | null>(null)
  const [open, setOpen] = useState(false)

  function show(member: ForumMember) {
    setShown(member)
    setOpen(true)
  }

  return (
    <>
      {step === 'failed' && (
        <p className="soft" role="status">
          {PICTURES_FAILED}
        </p>
      )}
      <ul className="team">
        {members.map((member) => (
          <li key={member.id}>
            <Portrait member={member} image={pictureOf(member, images)} onFailed={pictureFailed} />
            <p className="eyebrow">{member.role}</p>
            <h3>{member.name}</h3>
            <p>{member.year}</p>
            <p className="meta">{member.school}</p>
            <div className="needs-script" onPointerEnter={() => void preloadDialog().catch(() => {})}>
              <Button variant="line" size="small" aria-haspopup="dialog" onClick={() => show(member)}>
                Read full biography <span className="visually-hidden">of {member.name}</span>
              </Button>
            </div>
            <noscript>
              <Fold summary={`Read full biography of ${member.name}`}>
                <Biography member={member} />
              </Fold>
            </noscript>
          </li>
        ))}
      </ul>
      {/* What was shown stays while the window closes. */}
      <Dialog open={open} onClose={() => setOpen(false)} title={shown?.name ?? ''} width="44rem">
        {shown && (
          <>
            <p className="eyebrow">{shown.role}</p>
            <p className="meta">
              {shown.year}, {shown.school}
            </p>
            <Biography member={shown} />
          </>
        )}
      </Dialog>
    </>
  )
}

/** Its file is named for the office: `president.jpg`. */
function pictureOf({ id }: ForumMember, images: readonly StoredImage[]): StoredImage | undefined {
  return images.find(({ filename }) => filename.replace(/\.\w+$/, '').toLowerCase() === id)
}

interface PortraitProps {
  member: ForumMember
  image: StoredImage | undefined
  onFailed(image: StoredImage): void
}

function Portrait({ member, image, onFailed }: PortraitProps) {
  if (!image) {
    const Icon = ICONS[member.iconName] ?? UserRound
    return (
      <div className="team-icon">
        <Icon aria-hidden="true" strokeWidth={1.25} />
      </div>
    )
  }
  return (
    <Picture
      src={image.url}
      alt={`Portrait of ${member.name}`}
      width={600}
      height={700}
      sizes={image.sizes}
      shownAt="(min-width: 64rem) 18rem, (min-width: 34rem) 45vw, 92vw"
      onFailed={() => onFailed(image)}
    />
  )
}

/** Those of lucide that officers may choose by name. */
const ICONS: Record<string, LucideIcon> = {
  stethoscope: Stethoscope,
  'heart-pulse': HeartPulse,
  'notebook-pen': NotebookPen,
  'hand-coins': HandCoins,
}

function Biography({ member: { bio } }: { member: ForumMember }) {
  return (
    <div className="words">
      {bio.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </div>
  )
}

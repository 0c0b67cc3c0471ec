import { useState } from 'react'
import type { ForumMember } from '#contract/public/forum.ts'
import type { StoredImage } from '#contract/public/media.ts'
import { portraitOf } from '#web/shared/pictures/stored-images.rules.ts'
import { PICTURES_FAILED, usePictures } from '#web/shared/pictures/use-pictures.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, preloadDialog } from '#web/ui/overlays/dialog.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { Icon, PERSON } from '#web/ui/icon.tsx'

interface TeamProps {
  members: ForumMember[]
  /** The team folder's images from the server. */
  images: StoredImage[]
}

/** The forum's officers; each card opens the full biography. */
export function Team({ members, images: rendered }: TeamProps) {
  const { step, images, onPictureFailed: pictureFailed } = usePictures('exec', 'team', rendered)
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
            <Portrait
              member={member}
              image={portraitOf({ list: 'forum', name: member.name }, images)}
              onFailed={pictureFailed}
            />
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
              <Disclosure summary={`Read full biography of ${member.name}`}>
                <Biography member={member} />
              </Disclosure>
            </noscript>
          </li>
        ))}
      </ul>
      {/* `shown` stays set while the closing dialog fades out. */}
      <Dialog open={open} onClose={() => setOpen(false)} title={shown?.name ?? ''} width="52rem">
        {shown && (
          <>
            <div className="portrait">
              <Portrait
                member={shown}
                image={portraitOf({ list: 'forum', name: shown.name }, images)}
                onFailed={pictureFailed}
              />
            </div>
            <p className="eyebrow">{shown.role}</p>
            <div className="biography">
              <p className="meta">
                {shown.year}, {shown.school}
              </p>
              <Biography member={shown} />
            </div>
          </>
        )}
      </Dialog>
    </>
  )
}

interface PortraitProps {
  member: ForumMember
  image: StoredImage | undefined
  onFailed(image: StoredImage): void
}

function Portrait({ member, image, onFailed }: PortraitProps) {
  if (!image) {
    const drawing = ICONS[member.iconName] ?? PERSON
    return (
      <div className="team-icon">
        <Icon d={drawing} strokeWidth={1.25} />
      </div>
    )
  }
  return (
    <Picture
      src={image.url}
      alt={image.alt ?? `Portrait of ${member.name}`}
      width={600}
      height={700}
      sizes={image.sizes}
      displayWidth="(min-width: 64rem) 18rem, (min-width: 34rem) 45vw, 92vw"
      onFailed={() => onFailed(image)}
    />
  )
}

/** The Lucide icons that officers can choose by name. */
const ICONS: Record<string, string> = {
  stethoscope:
    'M11 2v2M5 2v2M5 3H4a2 2 0 0 0-2 2v4a6 6 0 0 0 12 0V5a2 2 0 0 0-2-2h-1M8 15a6 6 0 0 0 12 0v-3M18 10a2 2 0 1 0 4 0a2 2 0 1 0 -4 0',
  'heart-pulse':
    'M2 9.5a5.5 5.5 0 0 1 9.591-3.676.56.56 0 0 0 .818 0A5.49 5.49 0 0 1 22 9.5c0 2.29-1.5 4-3 5.5l-5.492 5.313a2 2 0 0 1-3 .019L5 15c-1.5-1.5-3-3.2-3-5.5M3.22 13H9.5l.5-1 2 4.5 2-7 1.5 3.5h5.27',
  'notebook-pen':
    'M13.4 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-7.4M2 6h4M2 10h4M2 14h4M2 18h4M21.378 5.626a1 1 0 1 0-3.004-3.004l-5.01 5.012a2 2 0 0 0-.506.854l-.837 2.87a.5.5 0 0 0 .62.62l2.87-.837a2 2 0 0 0 .854-.506z',
  'hand-coins':
    'M11 15h2a2 2 0 1 0 0-4h-3c-.6 0-1.1.2-1.4.6L3 17M7 21l1.6-1.4c.3-.4.8-.6 1.4-.6h4c1.1 0 2.1-.4 2.8-1.2l4.6-4.4a2 2 0 0 0-2.75-2.91l-4.2 3.9M2 16l6 6M13.1 9a2.9 2.9 0 1 0 5.8 0a2.9 2.9 0 1 0 -5.8 0M3 5a3 3 0 1 0 6 0a3 3 0 1 0 -6 0',
}

function Biography({ member: { bio } }: { member: ForumMember }) {
  return (
    <div className="prose">
      {bio.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </div>
  )
}

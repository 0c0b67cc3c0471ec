import { useState } from 'react'
import type { Audience, JoinPage, LevelPresentation, MembershipLevel } from '#contract/public/membership.ts'
import { ReplyTime } from '#web/shared/reply-time.tsx'
import { paths } from '#web/app/paths.ts'
import { levelText, type PlanLabel } from '#web/shared/plan-label.rules.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { AudienceChoice } from './audience-choice.tsx'
import { PlanCard } from './plan-card.tsx'

interface PlanListProps {
  /** Whether to ask first whom the membership is for. */
  asks: boolean
  levels: MembershipLevel[]
  page: JoinPage
  /** The key of the member's own level, current or lapsed. */
  ownKey: string | undefined
  getLabel(level: MembershipLevel): PlanLabel
  /** What changing to each level costs, by level key. */
  changes: ReadonlyMap<string, string>
  /** The level whose button is busy. */
  busyKey: string | null
  onChoose(level: MembershipLevel): void
  onPreload(): void
}

export function PlanList({ asks, levels, page, ownKey, getLabel, ...props }: PlanListProps) {
  const { changes, busyKey, onChoose, onPreload } = props
  const [audience, setAudience] = useState<Audience | null>(null)
  const shown = levels.map((level) => ({ level, presentation: presentationOf(level, page.levels) }))
  const isQuestion = asks && new Set(shown.map(({ presentation }) => presentation?.audiences.join(' '))).size > 1
  const solidKey = ownKey ?? featuredKey(shown, audience)
  return (
    <>
      {isQuestion && <AudienceChoice choices={page.choices} onChoose={setAudience} />}
      <div className="plans">
        {shown.map(({ level, presentation }) => {
          const { label, action, reason } = getLabel(level)
          const isSolid = level.key === solidKey
          return (
            <PlanCard
              key={level.key}
              level={level}
              presentation={presentation}
              isFeatured={isSolid}
              audiences={isQuestion ? (presentation?.audiences ?? []) : []}
            >
              <Button
                variant={isSolid ? 'solid' : 'line'}
                id={planButtonId(level.key)}
                disabled={action === 'none'}
                reason={reason}
                busy={busyKey === level.key}
                busyLabel="One moment"
                onClick={() => onChoose(level)}
                onPointerEnter={onPreload}
              >
                <Label text={label} levelKey={level.key} />
              </Button>
              {changes.has(level.key) && <p>{changes.get(level.key)}</p>}
            </PlanCard>
          )
        })}
        <Asides asides={isQuestion ? page.asides : []} chosen={audience} />
      </div>
    </>
  )
}

/** Beside the levels: the officers' sentence for the chosen answer, else where to ask. */
function Asides({ asides, chosen }: { asides: JoinPage['asides']; chosen: Audience | null }) {
  return (
    <>
      {!asides.some(({ audience }) => audience === chosen) && (
        <aside className="panel plans-note">
          <h2>Not sure which one fits?</h2>
          <AskUs />
        </aside>
      )}
      {asides.map(({ audience, title, text }) => (
        <aside key={audience} className="panel plans-note" data-audience={audience}>
          <h2>{title}</h2>
          {text ? <p className="soft">{text}</p> : <AskUs />}
        </aside>
      ))}
    </>
  )
}

function AskUs() {
  return (
    <p className="soft">
      <Link to={paths.contact()}>Ask us</Link>; a real person replies within <ReplyTime />.
    </p>
  )
}

/** The level's key reads as a name: capitalized by the style sheet. */
function Label({ text, levelKey }: { text: string; levelKey: string }) {
  const name = levelText(levelKey)
  if (!text.endsWith(name)) return text
  return (
    <span>
      {text.slice(0, -name.length)}
      <span className="level-name">{name}</span>
    </span>
  )
}

function presentationOf({ name }: MembershipLevel, all: readonly LevelPresentation[]): LevelPresentation | undefined {
  return all.find(({ level }) => level.trim().toLowerCase() === name.trim().toLowerCase())
}

/** Only one button is solid: of the first recommended level, among those for the chosen answer. */
function featuredKey(
  levels: readonly { level: MembershipLevel; presentation: LevelPresentation | undefined }[],
  audience: Audience | null,
): string | undefined {
  return levels.find(
    ({ presentation: one }) => one?.isFeatured && (audience === null || one.audiences.includes(audience)),
  )?.level.key
}

export function planButtonId(levelKey: string): string {
  return `plan-${levelKey}`
}

import type { SpotName } from '#web/ui/picture.tsx'

export type Audience = 'practice' | 'training' | 'aims'

interface Crest {
  spot: SpotName
  ink: string
  /** Whom the level is for; left out, it is shown to everyone. */
  audience?: Audience
}

const CRESTS: Record<string, Crest> = {
  medical_student: { spot: 'stethoscope', ink: 'sage', audience: 'training' },
  resident_fellow: { spot: 'peach', ink: 'blush', audience: 'training' },
  associate_member: { spot: 'mortar', ink: 'mist', audience: 'aims' },
  annual_member: { spot: 'lotus', ink: 'marigold', audience: 'practice' },
  life_member: { spot: 'lamp', ink: 'deep', audience: 'practice' },
}

/** A level that officers add later gets the logo's flower and is for everyone. */
export function crestOf(key: string): Crest {
  return CRESTS[key] ?? { spot: 'rose', ink: 'sand' }
}

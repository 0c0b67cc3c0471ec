import type { ClinicTranslation } from '#contract/public/clinic.ts'

export interface TranslatedClinic extends ClinicTranslation {
  /** The next open day with its hours, in the language; null if there is none. */
  nextDay: string | null
}

/** Links to the languages, so that a patient finds hers in the first view. */
export function LanguageLinks({ translations }: { translations: readonly TranslatedClinic[] }) {
  if (translations.length === 0) return null
  return (
    <nav className="language-links" aria-label="In other languages">
      <ul>
        {translations.map(({ language, name }) => (
          <li key={language}>
            <a href={`#${language}`} lang={language}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** What patients need to know in each language; a text that no speaker has checked yet says so. */
export function ClinicLanguages({ translations, place }: { translations: readonly TranslatedClinic[]; place: string }) {
  if (translations.length === 0) return null
  return (
    <section className="section" aria-labelledby="other-languages">
      <div className="wrap">
        <h2 id="other-languages">In your language</h2>
        <div className="clinic-languages">
          {translations.map((one) => (
            <section key={one.language} id={one.language} lang={one.language} aria-label={one.name}>
              <p className="eyebrow">{one.name}</p>
              <h3>{one.headline}</h3>
              <dl>
                {one.nextDay && (
                  <div>
                    <dt>{one.nextDayLabel}</dt>
                    <dd>{one.nextDay}</dd>
                  </div>
                )}
                <div>
                  <dt>{one.placeLabel}</dt>
                  <dd lang="en">{place}</dd>
                </div>
              </dl>
              <p>{one.cost}</p>
              <p>{one.bring}</p>
              {!one.isChecked && (
                <p className="small soft">
                  {one.draftNote} <span lang="en">Draft translation, not checked by a speaker yet.</span>
                </p>
              )}
            </section>
          ))}
        </div>
      </div>
    </section>
  )
}

/**
 * Abbreviations that do not end a sentence. Unicode's rules (UAX 29) know none, and the tables of CLDR
 * (`segments/suppressions`) lack most of these.
 */
const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

interface Abbreviations {
  /** Something always follows: titles, and words before a name or a number. Without the last full stop. */
  readonly leading: ReadonlySet<string>
  /** A number follows; before a word they may be the end of a sentence. */
  readonly beforeNumbers: ReadonlySet<string>
}

const everywhere: Abbreviations = {
  leading: words('dr prof ing tel vs st'),
  beforeNumbers: words('nr no nos art fig vol p pp s cap kap'),
}

const byLanguage: Readonly<Record<string, Abbreviations>> = {
  en: {
    leading:
      words(`mr mrs ms mx messrs rev hon gen col capt cmdr lt sgt gov sen rep pres supt mt ft approx dept incl excl
      e.g i.e viz cf esp`),
    beforeNumbers: words('jan feb mar apr jun jul aug sep sept oct nov dec ext apt ch sec rm max min'),
  },
  de: {
    leading:
      words(`hr fr hrn dipl med jur phil rer nat hum habil ca bzw inkl exkl zzgl abzgl evtl ggf vgl sog bspw mind max
      z.b d.h u.a i.d.r z.zt o.ä mio mrd mwst geb verh abs bd str mag`),
    beforeNumbers: words('jan feb apr jun jul aug sept okt nov dez hausnr tgl'),
  },
  fr: {
    leading: words('m mm mme mmes mlle mlles pr mgr ste av bd boul env p.ex cf tél chap approx'),
    beforeNumbers: words('janv févr avr juil sept oct nov déc num'),
  },
  es: {
    leading:
      words(`sr sra srta sres sras dra dña ud uds vd vds profa av avda núm pág tfno aprox ej p.ej admón dpto lic arq
      gral`),
    beforeNumbers: words('ene feb abr jun jul ago sept oct nov dic num ext'),
  },
  pt: {
    leading: words('sr sra srs sras srta dra exmo exma profa av aprox ex p.ex eng núm pág dpto'),
    beforeNumbers: words('jan fev abr jun jul ago set out nov dez num'),
  },
  it: {
    leading: words(
      'sig sigg sig.ra sig.na dott dott.ssa prof.ssa avv geom rag egr spett gent ca p.es cfr pag max min',
    ),
    beforeNumbers: words('gen feb apr giu lug ago sett ott nov dic num'),
  },
  nl: {
    leading: words('dhr mevr mw drs ir mr bijv bv ca d.w.z o.a m.b.t i.v.m t.a.v evt incl excl max min blz'),
    beforeNumbers: words('jan feb apr jun jul aug sept okt nov dec'),
  },
  pl: {
    leading: words('mgr inż ul al os pl godz np tj m.in ok woj św ks płk hab'),
    beforeNumbers: words('sty lut kwi cze lip sie wrz paź lis gru'),
  },
  tr: {
    leading: words('doç av sn cad sok mah apt örn yrd'),
    beforeNumbers: words('oca şub nis haz tem ağu eyl eki kas ara'),
  },
  ru: {
    leading: words('ул пр просп тел им т.е см проф руб г-н г-жа'),
    beforeNumbers: words('стр кв янв фев апр авг сент окт нояб дек'),
  },
}

/**
 * Words that begin a sentence behind a number. In languages whose ordinals have a full stop, any other word continues it.
 */
const beginnings: Readonly<Record<string, ReadonlySet<string>>> = {
  de: words(`der die das den dem ein eine wir sie ich er es ihr du man wenn und oder aber dann danach bitte möchten passt ist
    sind haben kann können soll darf danke gut ja nein was wie wo wann wer warum für in im am an auf bei mit um von zu dort
    hier heute morgen außerdem leider gern gerne vielen unser unsere ihre mein diese dieser dieses
    alle jeder jede jedes nur also gibt brauchen geht sonst zusätzlich sobald falls nach bis aus ab noch auch`),
  pl: words('czy to jest są w na i a ale proszę dziękuję pan pani co jak kiedy gdzie kto tak nie możemy'),
  tr: words('bu şu o ve ama size biz siz ben lütfen uygun teşekkür başka var yok evet hayır ne nasıl'),
  cs: words('to je jsou v na a ale prosím děkuji co jak kdy kde kdo ano ne'),
  da: words('det er den vi de jeg du han hun og men tak hvad hvor hvornår ja nej vil'),
  fi: words('se on me te hän ja mutta kiitos mitä missä milloin kyllä ei'),
}

/**
 * Whether the sentence continues behind a word with a full stop, whatever follows. @param word in lower case, without it
 */
export function leads(word: string, language: string): boolean {
  return everywhere.leading.has(word) || (byLanguage[language]?.leading.has(word) ?? false)
}

/** Whether it does so where a number follows. */
export function leadsNumber(word: string, language: string): boolean {
  const own = byLanguage[language]?.beforeNumbers
  return everywhere.beforeNumbers.has(word) || (own?.has(word) ?? false) || /(str|pl)$/.test(word)
}

/** Whether `3.` may be “third” in a language. */
export function hasOrdinals(language: string): boolean {
  return language in beginnings
}

/** Whether a word begins a sentence behind a number, as far as that is known. @param word in lower case */
export function begins(word: string, language: string): boolean {
  return beginnings[language]?.has(word) ?? true
}

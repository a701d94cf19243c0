/** Rules for our npm dependencies, checked with the lock file only, without network. */

/** Licences that allow redistribution, besides our own. */
const LICENCES = [
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'],
  ...['MPL-2.0', 'Python-2.0', 'PSF-2.0', 'Unlicense', 'CC0-1.0'],
]

/** Packages that declare their licence only in their files: reviewed manually. */
const LOOKED_AT = new Map([
  ['busboy', 'MIT'],
  ['dicer', 'MIT'],
  ['humanize-number', 'MIT'],
  ['limiter', 'MIT'],
  ['modesl', 'MPL-2.0'],
  ['only', 'MIT'],
  ['streamsearch', 'MIT'],
])

/**
 * Packages with install scripts, and what those do. .npmrc disables all install scripts. No
 * other package may have one: without .npmrc it would run as root on a carrier's machine.
 */
const SCRIPTS = new Map([
  ['@firebase/util', 'writes the settings of Firebase’s own hosting into a file of its own'],
  [
    '@scarf/scarf',
    'would tell its makers of the installation: switched off by scarfSettings in package.json',
  ],
  [
    'esbuild',
    'would download its program where the package for this machine is missing; only tests, of generated clients, have it',
  ],
  ['onnxruntime-node', 'would download what it needs for graphics cards, which we do not use'],
  ['protobufjs', 'warns when a package asks for it in another way than it should'],
])

/**
 * @typedef {object} LockedPackage
 * @property {string} [integrity]
 * @property {string} [resolved]
 * @property {string} [license]
 * @property {boolean} [hasInstallScript]
 * @property {boolean} [link]
 */

/**
 * @param {Record<string, LockedPackage>} packages of a package-lock.json
 * @returns {string[]} problems, one line a package
 */
export function problemsOf(packages) {
  return Object.entries(packages).flatMap(([path, one]) => {
    const name = path.split('node_modules/').at(-1) ?? ''
    if (!path.includes('node_modules/') || one.link) return [] // our own
    const licence = one.license ?? LOOKED_AT.get(name)
    return [
      ...(one.integrity?.startsWith('sha512-') ? [] : [`${path}: no sha512 in the lock file`]),
      ...(one.resolved === undefined || one.resolved.startsWith('https://registry.npmjs.org/')
        ? []
        : [`${path}: comes from ${one.resolved}, not from the registry`]),
      ...(licence && isAccepted(licence) ? [] : [`${path}: licence ${licence ?? 'unknown'}`]),
      ...(one.hasInstallScript && !SCRIPTS.has(name) ? [`${path}: runs a program when it is installed`] : []),
    ]
  })
}

/** @param {string} expression of SPDX, of one level */
function isAccepted(expression) {
  const terms = expression.replace(/^\((.*)\)$/, '$1')
  const isOne = (/** @type {string} */ licence) => LICENCES.includes(licence)
  return terms.includes(' OR ') ? terms.split(' OR ').some(isOne) : terms.split(' AND ').every(isOne)
}

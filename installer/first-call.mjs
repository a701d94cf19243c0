/** The commands for a first call, shared by README, output and tests. */

/**
 * @param {'freeswitch' | 'sandbox'} switchKind the sandbox answers its own test numbers; a real switch needs a
 *   carrier and a phone that the newcomer must name
 * @returns {string[]} shell commands, in order
 */
export function firstCallCommands(switchKind) {
  const real = switchKind === 'freeswitch'
  return [
    'npx jackfield workspace create acme --title "Acme" --country US',
    `npx jackfield demo --workspace acme${real ? ' --carrier <host of your SIP carrier>' : ''}`,
    `npx jackfield call make --workspace acme --to ${real ? '<your phone, +1…>' : '+12025550100'} --say "Hello from Jackfield" --follow`,
  ]
}

/** The commands that make a newcomer's first call: in one place, so that README, output and tests agree. */

/**
 * @param {'freeswitch' | 'sandbox'} switchKind
 * @returns {string[]} shell commands, in order
 */
export function firstCallCommands(switchKind) {
  void switchKind
  return [
    'npx jackfield workspace create acme --title "Acme" --country US',
    'npx jackfield trunk gateway demo --workspace acme',
    'npx jackfield call make --workspace acme --to +12025550107 --say "Hello from Jackfield"',
  ]
}

/** Why an action failed, in words for the call's timeline. */
export class ActionProblem extends Error {}

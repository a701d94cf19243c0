/** SQL of what usage counts, in reports and in the sums of deleted rows alike. */

/** The kind of usage that a leg of a call is, as bills name it. */
export const kindOfLeg = `CASE WHEN leg.voice_agent_id IS NOT NULL THEN 'voice_agent'
    WHEN calls.direction = 'inbound' AND leg.role = 'caller' THEN 'inbound_call'
    ELSE 'outbound_call' END`

/** Of a message that failed only those that a carrier had taken are charged. */
export const chargedSegments = 'SUM(IF(cost < price, ROUND(segments * cost / price), segments))'

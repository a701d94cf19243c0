/** In pixels; kept free while what draws is on its way. */
export const chartHeight = 240

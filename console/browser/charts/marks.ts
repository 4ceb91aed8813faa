/** What a chart of prices shows besides its lines: volumes, own fills, and the price of now. */
import type uPlot from 'uplot';

type ColorOf = (name: string) => string;

export interface PriceMarks {
  readonly volumes: readonly (readonly [timeS: number, cash: number])[];
  readonly fills: readonly {
    readonly timeS: number;
    readonly price: number;
    readonly side: 'BUY' | 'SELL';
  }[];
  /** The tag of each line, at the axis. */
  readonly tags: readonly {
    readonly price: number;
    readonly text: string;
    readonly color: string;
  }[];
}

/** A part of the height that the highest bar takes, and the number of bars. */
const VOLUME_PARTS = 5;
const BARS = 60;
const FILL_RADIUS = 5;
const TAG = { width: 52, height: 20 };

/** Draws over the lines of a plot, in the pixels of its canvas. */
export function drawMarks(plot: uPlot, colorOf: ColorOf, { volumes, fills, tags }: PriceMarks) {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  const width = bbox.width / BARS;
  const sums = new Array<number>(BARS).fill(0);
  for (const [timeS, cash] of volumes) {
    const bar = Math.floor((plot.valToPos(timeS, 'x', true) - bbox.left) / width);
    if (bar >= 0 && bar < BARS) sums[bar] = (sums[bar] ?? 0) + cash;
  }
  const most = Math.max(...sums, Number.MIN_VALUE);
  ctx.fillStyle = `${colorOf('--muted')}66`;
  for (const [bar, sum] of sums.entries()) {
    const height = (sum / most) * (bbox.height / VOLUME_PARTS);
    const left = bbox.left + bar * width;
    ctx.fillRect(left + 1, bbox.top + bbox.height - height, width - 2, height);
  }
  const radius = FILL_RADIUS * scale;
  ctx.lineWidth = 2 * scale;
  ctx.strokeStyle = colorOf('--panel');
  for (const { timeS, price, side } of fills) {
    ctx.fillStyle = colorOf(side === 'BUY' ? '--buy' : '--sell');
    ctx.beginPath();
    const x = plot.valToPos(timeS, 'x', true);
    // A price that the line did not have is drawn at the edge.
    const [top, bottom] = [bbox.top + radius, bbox.top + bbox.height - radius];
    const y = Math.min(Math.max(plot.valToPos(price, 'y', true), top), bottom);
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.stroke();
    ctx.fill();
  }
  ctx.restore();
  ctx.save();
  ctx.font = `600 ${12 * scale}px system-ui`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'center';
  const right = bbox.left + bbox.width;
  const [tagWidth, height] = [TAG.width * scale, TAG.height * scale];
  let least = Number.NEGATIVE_INFINITY;
  for (const { price, text, color } of tags.toSorted((one, other) => other.price - one.price)) {
    // Tags of near prices stand below each other.
    const y = Math.max(plot.valToPos(price, 'y', true), least);
    least = y + height;
    ctx.fillStyle = colorOf(color);
    ctx.fillRect(right + 2 * scale, y - height / 2, tagWidth, height);
    ctx.fillStyle = colorOf('--panel');
    ctx.fillText(text, right + 2 * scale + tagWidth / 2, y);
  }
  ctx.restore();
}

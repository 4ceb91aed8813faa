/**
 * The display name of a user who chose none: two words picked by the hash of the address, so that
 * it is the same on every machine. Invariant: the lists are never reordered. There are some 16,000
 * names, so two users may share one: a pseudonym proves nothing.
 */

import { createHash } from 'node:crypto';

const MANNERS = (
  'Able Agile Amber Ample Apt Arctic Ardent Astute Azure Bold Brave Breezy Bright Brisk Bronze ' +
  'Calm Candid Careful Cedar Cheery Civil Clear Clever Cobalt Copper Coral Cosmic Cosy Crimson ' +
  'Crisp Curious Daring Dapper Deft Dusky Eager Early Earnest Easy Ebony Elder Electric Ember ' +
  'Even Fabled Fair Faithful Famous Fleet Frank Free Fresh Frosty Gallant Gentle Gilded Glad ' +
  'Golden Grand Green Hardy Hasty Hazel Hearty Honest Humble Icy Indigo Ivory Jade Jolly Jovial ' +
  'Keen Kind Late Lavish Level Light Lively Lone Loyal Lucid Lucky Lunar Mellow Merry Mighty ' +
  'Misty Modest Mossy Neat Nimble Noble Northern Ochre Olive Open Patient Pearl Placid Plucky ' +
  'Polar Prime Prompt Proud Quick Quiet Rapid Rare Ready Rosy Royal Ruby Rustic Sage Sandy ' +
  'Scarlet Serene Sharp Silent Silver Sly Smooth Snowy'
).split(' ');

const ANIMALS = (
  'Adder Albatross Alpaca Antelope Badger Barbet Bat Bear Beaver Bee Bison Bittern Boar Bobcat ' +
  'Buffalo Bunting Buzzard Camel Caracal Caribou Cat Chamois Cheetah Civet Cobra Condor Coot ' +
  'Cormorant Cougar Coyote Crab Crane Cricket Crow Curlew Deer Dingo Dipper Dolphin Dormouse ' +
  'Dove Duck Eagle Egret Elk Ermine Falcon Ferret Finch Firefly Fox Frog Gannet Gazelle Gecko ' +
  'Gibbon Goat Goose Grouse Gull Hare Hawk Hedgehog Heron Hornet Horse Ibex Ibis Iguana Jackal ' +
  'Jackdaw Jaguar Jay Kestrel Kingfisher Kite Koala Lark Lemur Leopard Linnet Lion Lizard Llama ' +
  'Lobster Lynx Magpie Mallard Marlin Marmot Marten Martin Mole Moose Moth Mule Newt Nightjar ' +
  'Ocelot Octopus Oriole Osprey Otter Owl Ox Panda Panther Parrot Pelican Penguin Pheasant Pika ' +
  'Plover Puffin Puma Quail Rabbit Raven Robin Salmon Seal Shrew Skylark'
).split(' ');

function wordAt(words: readonly string[], place: number): string {
  return words[place % words.length] ?? '';
}

/** Such as `Quiet-Otter`. The case of the address does not matter. */
export function pseudonymOf(address: string): string {
  const digest = createHash('sha256')
    .update(`outcome-exchange/pseudonym/${address.toLowerCase()}`)
    .digest();
  return `${wordAt(MANNERS, digest.readUInt32BE(0))}-${wordAt(ANIMALS, digest.readUInt32BE(4))}`;
}

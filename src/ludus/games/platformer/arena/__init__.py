"""The platformer under the protocol of mario-arena: held, sticky and late actions."""

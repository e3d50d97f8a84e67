package tests;

import engine.helper.EventType;
import engine.helper.GameStatus;
import engine.helper.MarioActions;
import engine.helper.SpriteType;
import engine.helper.TileFeature;
import java.util.Arrays;

/** Prints the numbers of the enumerations, and which features tiles have. */
public class Enums {
    public static void main(String[] arguments) {
        System.out.println(Arrays.toString(GameStatus.values()));
        for (int value = 0; value < MarioActions.numberOfActions(); value++) {
            MarioActions action = MarioActions.getAction(value);
            System.out.println(action + " " + action.getValue() + " " + action.getString());
        }
        for (SpriteType type : SpriteType.values()) {
            System.out.println(type + " " + type.getValue());
        }
        for (EventType type : EventType.values()) {
            System.out.println(type + " " + type.getValue());
        }
        for (int code = -1; code < 60; code++) {
            if (!TileFeature.getTileType(code).isEmpty()) {
                System.out.println(code + " " + TileFeature.getTileType(code));
            }
        }
    }
}
